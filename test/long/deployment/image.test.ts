import { beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { DatabaseConnection } from '../../../src/database/connection.ts';
import { fixedPort } from '../../support/fixed-port.ts';
import { whereInstalled } from '../../support/installed.ts';
import { ownFolder } from '../../support/own-folder.ts';
import { until } from '../../support/poll.ts';
import { begin, type Ended, launch, type Settings } from '../../support/process.ts';
import { processDatabase } from '../../support/process-database.ts';
import { buildImage, type Image } from './image-root.ts';

/*
 * The image, as a container engine runs it with --read-only, --tmpfs /tmp, --cap-drop ALL and no-new-privileges: process
 * namespace and root file system of its own, the account of the image. The network is this machine's.
 */

const ENTER = `mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && mount -t tmpfs -o mode=1777 tmpfs "$0/tmp" &&
  mount -t proc proc "$0/proc" && exec chroot "$0" "$@"`;

const execute = promisify(execFile);

/** The words that chroot takes to run `words` as the image's account, without rights to regain. */
function inside({ env, user, workdir }: Image, settings: Settings, words: readonly string[]): string[] {
  const variables = Object.entries({ ...env, HOME: `/home/${user}`, ...settings }).map((pair) => pair.join('='));
  const drop = [`--reuid=${user}`, `--regid=${user}`, '--clear-groups', '--inh-caps=-all', '--bounding-set=-all'];
  const there = ['sh', '-c', 'cd "$0" && exec "$@"', workdir, ...words];
  return ['setpriv', ...drop, '--no-new-privs', 'env', '-i', ...variables, ...there];
}

const container = (image: Image, settings: Settings, ...words: readonly string[]): string[] => {
  const own = ['unshare', '--mount', '--pid', '--fork', 'sh', '-euc', ENTER, image.root];
  return [...own, ...inside(image, settings, [...image.entrypoint, ...words])];
};

/** PostgreSQL at a port, as another container's. */
async function atPort(
  { host, port, user, database }: DatabaseConnection,
  stack: AsyncDisposableStack,
): Promise<string> {
  const server = createServer((socket) => {
    const there = connect(`${host}/.s.PGSQL.${port}`);
    socket.pipe(there).pipe(socket);
    for (const end of [socket, there]) end.on('error', () => [socket, there].forEach((one) => one.destroy()));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  const address = server.address();
  return `postgresql://${user}@127.0.0.1:${typeof address === 'object' ? address?.port : ''}/${database}`;
}

whereInstalled(['mmdebstrap', 'unshare', 'setpriv', 'nsenter'], 'the image', () => {
  const folder = ownFolder();
  let image: Image;
  beforeAll(() => {
    image = buildImage(folder);
  });

  const run = (settings: Settings, ...words: readonly string[]): Promise<Ended> =>
    begin({}, container(image, settings, ...words)).ended;

  test('words behind the image’s name are a command', async () => {
    const { version } = JSON.parse(readFileSync(join(image.root, image.workdir, 'package.json'), 'utf8'));
    expect(await run({}, '--version')).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  test('a start without DATABASE_URL ends with a sentence, since the image has no PostgreSQL', async () => {
    const { code, stderr, stdout } = await run({ MARKET: 'simulated', PORT: '0' });
    expect(code).toBe(1);
    expect(`${stdout}${stderr}`).toContain('DATABASE_URL');
    expect(`${stdout}${stderr}`).not.toMatch(/^\s+at /m);
  });

  test('an unprivileged container scores a prediction, is healthy, writes nothing, and ends at SIGTERM', async () => {
    await using stack = new AsyncDisposableStack();
    const database = stack.use(await processDatabase());
    const settings = {
      DATABASE_URL: await atPort(database.connection, stack),
      MARKET: 'simulated',
      RATE_LIMITS: 'off',
      CLOCK_SPEED: '720',
      PORT: String(await fixedPort()),
      HOST: '127.0.0.1',
      LOG_FORMAT: 'json',
    };
    const service = stack.use(await launch({}, container(image, settings)));
    const [pid = ''] = readFileSync(`/proc/${service.child.pid}/task/${service.child.pid}/children`, 'utf8').split(' ');
    // The end of unshare does not end the process inside.
    stack.defer(() => {
      if (service.child.exitCode === null) process.kill(Number(pid), 'SIGKILL');
    });
    const exec = (...words: readonly string[]) =>
      execute('nsenter', [
        `--target=${pid}`,
        '--mount',
        '--pid',
        'chroot',
        image.root,
        ...inside(image, settings, words),
      ]);

    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
    expect(status.match(/^Cap(?:Prm|Eff|Bnd):\t(\w+)$/gm)?.filter((line) => !/\t0+$/.test(line))).toEqual([]);
    await expect(exec('touch', `/home/${image.user}/x`)).rejects.toThrow('Read-only file system');
    await exec(...image.healthcheck);

    const { api_key: key } = (await service.post('/api/agents/register', { name: 'in-a-container' })).body;
    await until('a prediction', async () => {
      const { round } = (await service.get('/api/rounds/current')).body;
      const prediction = { round_id: round?.id, prediction: round?.choices[0], confidence: 60 };
      return (await service.post('/api/predictions', prediction, key)).status === 201;
    });
    await until('its score', async () => (await service.get('/api/me', key)).body.recent_predictions[0]?.score != null);
    expect(await textAt(service.url, '/')).toContain('<title>');
    expect((await fetch(`${service.url}/preview/now.png`)).status).toBe(200);

    expect((await exec('find', '/tmp', '-mindepth', '1')).stdout).toBe('');
    process.kill(Number(pid), 'SIGTERM');
    expect(await service.ended).toMatchObject({ code: 0, signal: null });
    expect(service.output()).not.toMatch(/EROFS|Read-only/);
  });

  test('a health check without a service fails', async () => {
    const settings = { PORT: String(await fixedPort()) };
    const check = container({ ...image, entrypoint: image.healthcheck }, settings);
    expect(await begin({}, check).ended).toMatchObject({ code: 1 });
  });
});

async function textAt(url: string, path: string): Promise<string> {
  return (await fetch(url + path, { headers: { accept: 'text/html' } })).text();
}
