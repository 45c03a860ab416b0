import { describe, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';

import { until } from '../support/poll.ts';
import { processDatabase } from '../support/process-database.ts';
import { preparedDataFolder } from '../support/data-folder.ts';
import { hasEnded, launch, type RunningService } from '../support/process.ts';

/** A service on a test database: it starts and stops in a moment. */
async function onTestDatabase() {
  const stack = new AsyncDisposableStack();
  const { client, settings } = stack.use(await processDatabase());
  const service = stack.use(await launch(settings));
  return { service, blocker: client, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const refusesConnections = ({ url }: RunningService) =>
  fetch(`${url}/api/health`).then(
    () => false,
    () => true,
  );

/** A connection that sends this much and then waits. */
async function rawConnection({ url }: RunningService, text: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => {}).write(text);
  return socket;
}

describe('SIGTERM', () => {
  test('SIGTERM lets a running request finish', async () => {
    await using running = await onTestDatabase();
    const { service, blocker } = running;
    await blocker.query('begin; lock table agents in access exclusive mode');
    const answer = service.post('/api/agents/register', { name: 'Latecomer' });
    await until('the request waits for the lock', async () => {
      const { rows } = await blocker.query(`select from pg_locks where relation = 'agents'::regclass and not granted`);
      return rows.length > 0;
    });
    service.child.kill('SIGTERM');
    await until('no new connection is taken', () => refusesConnections(service));
    await blocker.query('commit');
    expect(await answer).toMatchObject({ status: 201, body: { agent: { name: 'Latecomer' } } });
    // The caller keeps its connection alive, and must not be waited for.
    const answered = performance.now();
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - answered).toBeLessThan(4000);
  });

  test('SIGTERM lets submissions end whose callers left', async () => {
    await using running = await onTestDatabase();
    const { service, blocker } = running;
    const leaving = new AbortController();
    const { body: answer } = await service.get('/api/rounds/current');
    const submit = async (name: string): Promise<void> => {
      const { body } = await service.post('/api/agents/register', { name });
      const prediction = { round_id: answer.round.id, prediction: answer.round.choices[0], confidence: 60 };
      const headers = { Authorization: `Bearer ${body.api_key}`, 'Content-Type': 'application/json' };
      const sent = { method: 'POST', headers, body: JSON.stringify(prediction), signal: leaving.signal };
      void fetch(`${service.url}/api/predictions`, sent).catch(() => {});
    };
    await blocker.query('begin; lock table predictions in access exclusive mode');
    await submit('First');
    await until('the first submission waits for the lock', async () => {
      const { rows } = await blocker.query(
        `select from pg_locks where relation = 'predictions'::regclass and not granted`,
      );
      return rows.length > 0;
    });
    // It waits in the process for the statement of the first.
    await submit('Second');
    for (let times = 0; times < 5; times++) await service.get('/api/health');
    service.child.kill('SIGTERM');
    await until('no new connection is taken', () => refusesConnections(service));
    leaving.abort();
    // Enough for a stop that does not wait to close the pools, which only fails to show it on a slow machine.
    await blocker.query('select pg_sleep(0.5)');
    await blocker.query('commit');
    const { code, stdout, stderr } = await service.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).not.toContain('Something failed');
  });

  test('SIGTERM is not delayed by keep-alive connections, idle or busy', async () => {
    await using running = await onTestDatabase();
    const { service } = running;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<boolean>((resolve) => {
        get(`${service.url}/api/health`, { agent }, (response) => response.resume().on('end', () => resolve(true))).on(
          'error',
          () => resolve(false),
        );
      });
    const idle = await rawConnection(service, 'GET /api/health HTTP/1.1\r\nHost: x\r\n\r\n');
    await once(idle, 'data');
    let answers = 0;
    const asking = (async () => {
      while (await ask()) answers += 1;
    })();
    await until('many answers on one connection', () => answers > 20);
    const began = performance.now();
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeLessThan(4000);
    await asking;
    agent.destroy();
    idle.destroy();
  });

  test('SIGTERM closes incomplete requests within seconds', async () => {
    await using running = await onTestDatabase();
    const { service } = running;
    const sockets = await Promise.all(
      [
        '',
        'GET /api/hea',
        'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
      ].map((text) => rawConnection(service, text)),
    );
    const began = performance.now();
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const socket of sockets) socket.destroy();
  });

  test('a second SIGTERM does not shorten the stop', async () => {
    await using folder = await preparedDataFolder();
    await using service = await launch({ DATA_DIR: folder.path });
    const postmaster = await folder.postmaster();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGTERM'] as const) {
      service.child.kill(signal);
      await until('the signal is seen', () => refusesConnections(service));
    }
    expect(await service.ended).toMatchObject({ code: 0, stderr: '' });
    expect(await hasEnded(postmaster)).toBe(true);
  });

  test('SIGTERM to npm ends everything that npm start has started', async () => {
    await using folder = await preparedDataFolder();
    await using service = await launch({ DATA_DIR: folder.path }, ['npm', 'start']);
    const postmaster = await folder.postmaster();
    expect((await service.get('/api/health')).status).toBe(200);
    expect((await service.end('SIGTERM')).code).toBe(0);
    expect(await refusesConnections(service)).toBe(true);
    expect(await hasEnded(postmaster)).toBe(true);
  });
});

test('Ctrl-C, which reaches npm and node at once, ends everything cleanly', async () => {
  await using folder = await preparedDataFolder();
  await using service = await launch({ DATA_DIR: folder.path }, ['npm', 'start']);
  const postmaster = await folder.postmaster();
  process.kill(-(service.child.pid ?? 0), 'SIGINT');
  const { stdout } = await service.ended;
  expect(stdout).not.toContain('"level":"error"');
  expect(await hasEnded(postmaster)).toBe(true);
});
