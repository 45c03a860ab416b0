import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

import { migrate } from '../../src/database/migrate.ts';
import { listen } from '../../src/http/server.ts';
import { verifierText } from '../../src/transparency/notes.ts';
import { dataFolder, openFolder, preparedDataFolder } from '../support/data-folder.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { until } from '../support/poll.ts';
import { begin, type Ended, launch, type RunningService, type Settings, SERVICE } from '../support/process.ts';
import { type ProcessDatabase, processDatabase } from '../support/process-database.ts';

/** A round in five seconds. */
const FAST = { CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: '720' };

let closing: AsyncDisposableStack;
let folder: string;

beforeEach(async () => {
  closing = new AsyncDisposableStack();
  folder = join(closing.use(await scopedFolder()).path, 'backup');
});

afterEach(() => closing.disposeAsync());

function command(name: string, settings: Settings): Promise<Ended> {
  return begin({ TMPDIR: tmpdir(), ...settings }, [...SERVICE, name, folder]).ended;
}

async function register(service: RunningService, name: string): Promise<string> {
  const { body } = await service.post('/api/agents/register', { name });
  return body.api_key;
}

/** Predicts in the round that runs, and returns the id of the prediction. */
async function predict(service: RunningService, key: string): Promise<number> {
  let id = 0;
  await until('a prediction is accepted', async () => {
    const { round } = (await service.get('/api/rounds/current')).body;
    const body = JSON.stringify({ round_id: round?.id, prediction: round?.choices[0], confidence: 60 });
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(`${service.url}/api/predictions`, { method: 'POST', headers, body });
    if (response.status === 201) id = (await response.json()).prediction.id;
    return response.status === 201;
  });
  return id;
}

async function decided(service: RunningService): Promise<number> {
  return (await service.get('/api/stats')).body.total_competitions;
}

/** A service with a decided round and an agent that predicts in it. */
async function played(settings: Settings): Promise<{ service: RunningService; key: string }> {
  const service = closing.use(await launch({ ...settings, ...FAST }));
  const key = await register(service, 'before');
  await predict(service, key);
  const rounds = await decided(service);
  await until('its round is decided', async () => (await decided(service)) > rounds + 1);
  return { service, key };
}

/** A digest of every table but those whose numbers a restore moves on. */
async function digests(database: Client): Promise<Readonly<Record<string, string>>> {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
     and not relispartition and relname not in ('platform', 'log_state', 'migrations', 'months')`,
  );
  const found: Record<string, string> = {};
  for (const { name } of rows) {
    const digest = await database.query<{ digest: string }>(
      `select count(*) || ' rows ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as digest from "${name}" t`,
    );
    found[name] = digest.rows[0]?.digest ?? '';
  }
  expect(found['scores']).toMatch(/^[1-9]/);
  return found;
}

test('a backup of a running service is restored, and no id or number is reused', async () => {
  const place = closing.use(await preparedDataFolder());
  const { service, key } = await played({ DATA_DIR: place.path });
  expect(await command('backup', { DATA_DIR: place.path })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Backed up \d+ rows of \d+ tables/),
  });
  const lost = await predict(service, key);
  await register(service, 'after');
  const { body: before } = await service.post('/graphql', { query: '{ health { lastSeq } }' });
  await service.end();

  const other = closing.use(await dataFolder());
  const began = secondsSince2026();
  expect(await command('restore', { DATA_DIR: other.path })).toMatchObject({ code: 0 });
  const ended = secondsSince2026();
  const restored = closing.use(await launch({ DATA_DIR: other.path, ...FAST }));
  expect((await restored.get('/api/agents?name=before')).status).toBe(200);
  expect((await restored.get('/api/agents?name=after')).status).toBe(404);
  const rounds = await decided(restored);
  expect(await predict(restored, key)).toBeGreaterThan(lost + 1e9);
  await until('rounds go on', async () => (await decided(restored)) > rounds);
  const { body: after } = await restored.post('/graphql', { query: '{ health { lastSeq } }' });
  expect(after.data.health.lastSeq).toBeGreaterThan(before.data.health.lastSeq + 500_000);

  const { epoch } = (await restored.get('/api/events/head')).body;
  expect(epoch).toBeGreaterThanOrEqual(Math.floor(began));
  expect(epoch).toBeLessThanOrEqual(Math.ceil(ended));

  const ids = await exportedIds(restored, '');
  expect(ids.at(-1)).toBeGreaterThan(lost + 1e9);
  expect(await exportedIds(restored, `after=${ids[0]}`)).toEqual(ids.slice(1));
});

const secondsSince2026 = (): number => (Date.now() - Date.parse('2026-01-01T00:00:00Z')) / 1000;

/** The ids in an export of predictions. */
async function exportedIds(service: RunningService, query: string): Promise<readonly number[]> {
  const text = await (await fetch(`${service.url}/api/export/predictions.ndjson?${query}`)).text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line).id);
}

test('a rehearsal restores elsewhere, verifies, sends nothing, and leaves nothing behind', async () => {
  const place = closing.use(await preparedDataFolder());
  const receiver = await openReceiver();
  closing.defer(() => receiver.close());
  const { service, key } = await played({ DATA_DIR: place.path, WEBHOOKS: 'any' });
  const webhook = { url: `${receiver.url}/hook`, kinds: ['round.opened', 'round.resolved', 'forecast'] };
  expect((await service.post('/api/me/webhooks', webhook, key)).status).toBe(201);
  await until('a message comes', () => receiver.received.length > 0);
  await service.end();
  const sent = receiver.received.length;
  expect((await command('backup', { DATA_DIR: place.path })).code).toBe(0);
  const temporary = await openFolder('hourcast-test-temporary-');
  closing.defer(() => rm(temporary, { recursive: true, force: true }));
  const offers: (string | undefined)[] = [];
  const witness = createServer(({ url }, response) => {
    offers.push(url);
    response.writeHead(503).end();
  });
  const witnessUrl = await listen(witness, { port: 0, host: '127.0.0.1' });
  closing.defer(() => witness.close().closeAllConnections());
  const settings = { DATA_DIR: place.path, TMPDIR: temporary, WEBHOOKS: 'any', ...FAST };
  const verifier = verifierText({ name: 'witness.example', publicKey: randomBytes(32) }, 'cosignature');
  const { code, stdout } = await command('rehearse', { ...settings, LOG_WITNESSES: `${verifier}=${witnessUrl}` });
  expect(receiver.received.slice(sent)).toEqual([]);
  expect(offers).toEqual([]);
  expect(stdout).toMatch(/no difference/i);
  expect(stdout).toContain('The backup can be restored, and verification found no differences.');
  expect(code).toBe(0);
  expect(await readdir(temporary)).toEqual([]);
});

test.each([
  { settings: { LOCK_MINUTES: '99' }, sentence: /settings:\s+LOCK_MINUTES must be [^\n]+\n$/ },
  { settings: { MARKET: 'replay:/nowhere' }, sentence: /^MARKET cannot be used: [^\n]+\n$/m },
])('a rehearsal with $settings ends with a sentence', async ({ settings, sentence }) => {
  const source = closing.use(await processDatabase());
  await migrate(source.connection);
  await command('backup', source.settings);
  const { code, stdout, stderr } = await command('rehearse', settings);
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(sentence)]);
  expect(stderr).not.toMatch(/^ +at /m);
});

test('an interrupted rehearsal stops its database, and leaves nothing behind', async () => {
  const source = closing.use(await processDatabase());
  await migrate(source.connection);
  await command('backup', source.settings);
  const temporary = await openFolder('hourcast-test-temporary-');
  closing.defer(() => rm(temporary, { recursive: true, force: true }));
  const rehearsal = begin({ TMPDIR: temporary }, [...SERVICE, 'rehearse', folder]);
  let pidFile: string | undefined;
  await until('its database runs', async () => {
    // Folders come and go while the database is made.
    const files = await readdir(temporary, { recursive: true }).catch(() => []);
    pidFile = files.find((name) => name.endsWith('/postgres/postmaster.pid'));
    return pidFile !== undefined;
  });
  const [pid = ''] = (await readFile(join(temporary, pidFile ?? ''), 'utf8')).split('\n');
  expect((await rehearsal.end('SIGTERM')).signal).toBe('SIGTERM');
  expect(await readdir(temporary)).toEqual([]);
  // Empty for a process that has ended and that nobody has waited for.
  expect(await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).toBe('');
});

test('another server’s database is restored unchanged, and a non-empty one is refused', async () => {
  const source = closing.use(await processDatabase());
  const { service } = await played(source.settings);
  await service.end();
  expect((await command('backup', source.settings)).code).toBe(0);
  const target = await emptyDatabase();
  expect(await command('restore', target.settings)).toMatchObject({ code: 0 });
  expect(await digests(target.client)).toEqual(await digests(source.client));
  expect(await command('restore', target.settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The database must be empty for a restore, but has tables/),
  });
  expect(await command('backup', source.settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The folder .* must not exist, and its parent must be writable \(EEXIST\)/),
  });
});

test('a restore killed in the middle can be started again', async () => {
  const source = closing.use(await processDatabase());
  const { service } = await played(source.settings);
  await service.end();
  await command('backup', source.settings);
  const target = await emptyDatabase();
  await migrate(target.connection);
  const holder = new Client(target.connection);
  await holder.connect();
  await holder.query('begin; lock table scores in share mode');
  const killed = begin({ ...target.settings }, [...SERVICE, 'restore', folder]);
  await until('it waits for the table', async () => {
    const { rowCount } = await target.client.query(
      "select from pg_locks where not granted and relation = 'scores'::regclass",
    );
    return (rowCount ?? 0) > 0;
  });
  await killed.end('SIGKILL');
  await holder.end();
  expect(await command('restore', target.settings)).toMatchObject({ code: 0 });
  expect(await digests(target.client)).toEqual(await digests(source.client));
});

test('a truncated or changed backup is refused with the reason, and nothing is written', async () => {
  const source = closing.use(await processDatabase());
  const target = await emptyDatabase();
  await migrate(source.connection);
  await command('backup', source.settings);
  await appendFile(join(folder, 'agents.copy.gz'), 'x');
  expect(await command('restore', target.settings)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/was changed: the file of the table agents has another checksum/),
  });
  await unlink(join(folder, 'agents.copy.gz'));
  expect((await command('restore', target.settings)).stderr).toMatch(/the file of the table agents is missing/);
  await writeFile(join(folder, 'manifest.json'), '{');
  expect((await command('restore', target.settings)).stderr).toMatch(/cannot be read by this version/);
  await unlink(join(folder, 'manifest.json'));
  expect((await command('restore', target.settings)).stderr).toMatch(
    /must hold a complete backup, but has no manifest.json/,
  );
  await mkdir(join(folder, 'manifest.json'));
  expect((await command('restore', target.settings)).stderr).toMatch(
    /^The folder .+ must hold .+ but has no manifest\.json that can be read \(EISDIR\)\.\n$/,
  );
  expect((await target.client.query("select to_regclass('agents') as found")).rows).toEqual([{ found: null }]);
});

/** Without any table. */
async function emptyDatabase(): Promise<ProcessDatabase> {
  const made = closing.use(await processDatabase());
  await made.client.query('drop schema public cascade; create schema public');
  return made;
}
