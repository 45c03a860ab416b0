import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';

import { doctorCommand } from '../../src/doctor/command-line.ts';
import { examine } from '../../src/doctor/doctor.ts';
import { HOUR, SECOND } from '../../src/rules/hours.ts';
import { dataFolder, openFolder, preparedDataFolder } from '../support/data-folder.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { listening } from '../support/listening.ts';
import { until } from '../support/poll.ts';
import { begin, databaseUrl, hasEnded, launch, type Settings, SERVICE } from '../support/process.ts';
import { type ProcessDatabase, processDatabase } from '../support/process-database.ts';
import { describeWithRedis } from '../support/redis-installed.ts';
import { startRedis } from '../support/redis.ts';
import { playSources, type PlayedSources } from '../market/live/exchanges/played-sources.ts';
import { FACTORS, wavyMarket } from '../market/live/exchanges/wavy-market.ts';
import { TOKEN } from './admin.ts';

/** Who may mount a small disk. */
const isRoot = process.getuid?.() === 0;

let database: ProcessDatabase;
let own: Settings;

beforeAll(async () => {
  database = await processDatabase();
  own = { ...database.settings, MARKET: 'simulated', PORT: String(await fixedPort()) };
});
afterAll(async () => database[Symbol.asyncDispose]());

/** What is wrong, as `check: sentence`, with a clock that is so far ahead. */
async function wrongs(settings: Settings, aheadMs = 0): Promise<readonly string[]> {
  const found = await examine(settings, () => new Date(Date.now() + aheadMs));
  return found.filter(({ wrong }) => wrong).map(({ check, what }) => `${check}: ${what}`);
}

async function saysOf(check: string, settings: Settings, aheadMs = 0): Promise<readonly string[]> {
  return (await wrongs(settings, aheadMs)).filter((line) => line.startsWith(`${check}: `));
}

const doctor = (settings: Settings, ...words: readonly string[]) =>
  begin(settings, [...SERVICE, 'doctor', ...words]).ended;

describe('doctor on the embedded PostgreSQL', () => {
  test('doctor finds nothing wrong with a running or stopped service, and leaves PostgreSQL unchanged', async () => {
    await using folder = await preparedDataFolder();
    const settings = { DATA_DIR: folder.path, ADMIN_TOKEN: TOKEN };
    await using service = await launch(settings);
    await until('a round runs', async () => (await service.get('/readyz')).status === 200);
    const beside = await doctor({ ...settings, HOURCAST_URL: service.url });
    expect(beside).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('No check on this machine found anything wrong.'),
    });
    expect(beside.stdout).not.toMatch(/No service answers/);
    const server = await folder.postmaster();
    await service.end();
    const stopped = await doctor(settings, '--json');
    expect(stopped.code).toBe(0);
    expect(JSON.parse(stopped.stdout)).toMatchObject({ ok: true, findings: expect.any(Array) });
    expect(await hasEnded(server)).toBe(true);
    await expect(stat(`${folder.path}/postgres/postmaster.pid`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  (isRoot ? test : test.skip)('doctor reports a nearly full disk', async () => {
    const folder = await openFolder('hourcast-doctor-disk-');
    expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=10m', 'tmpfs', folder]).status).toBe(0);
    try {
      expect(await saysOf('disk', { DATA_DIR: folder })).toEqual([]);
      await writeFile(`${folder}/filling`, Buffer.alloc(9 * 1024 * 1024));
      expect(await saysOf('disk', { DATA_DIR: folder })).toEqual([
        'disk: The disk of DATA_DIR has 0.0 GB left, 10 % of it.',
      ]);
    } finally {
      spawnSync('umount', ['--lazy', folder]);
      await rm(folder, { recursive: true });
    }
  });

  test.each(['doctor', 'doctor --new-pepper', 'backup FOLDER', 'archive 2026-10 FOLDER', 'site FOLDER'])(
    '%s creates no missing folder, and exits with 1',
    async (words) => {
      await using folder = await dataFolder();
      const command = words.replace('FOLDER', `${folder.path}-out`).split(' ');
      const { code, stdout, stderr } = await begin({ DATA_DIR: folder.path }, [...SERVICE, ...command]).ended;
      expect(stdout + stderr).toContain(`There is no database in the folder of DATA_DIR (${folder.path})`);
      expect(code).toBe(1);
      for (const path of [folder.path, `${folder.path}-out`])
        await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    },
  );
});

test('doctor reports waiting callers as a note, and other alarms as wrong', async () => {
  const alarms = [
    { alarm: 'PoolExhausted', what: 'All 3 connections are in use.' },
    { alarm: 'RoundStuck', what: 'A round waits.' },
  ];
  const server = createServer(({ url }, response) => {
    response.end(JSON.stringify(url === '/readyz' ? { not_ready: {} } : { alarms }));
  });
  await using listener = await listening(server);
  for (const HOURCAST_URL of [listener.url, `${listener.url}/`]) {
    const found = await examine({ ...own, ADMIN_TOKEN: TOKEN, HOURCAST_URL }, () => new Date());
    expect(found.filter(({ check }) => check === 'service')).toEqual([
      { check: 'service', wrong: false, what: 'PoolExhausted: All 3 connections are in use.' },
      { check: 'service', wrong: true, what: 'RoundStuck: A round waits.' },
    ]);
  }
});

test.each([
  {
    answer: { error: 'Too many requests.', code: 'rate_limited' },
    says: 'does not return its alarms: Too many requests.',
  },
  { answer: { error: 'There is none.', code: 'unknown_path' }, says: 'has no ADMIN_TOKEN: it must be set there, too.' },
  { answer: null, says: 'does not return its alarms: no answer' },
])('doctor does not take the answer $answer for a wrong token', async ({ answer, says }) => {
  const server = createServer(({ url }, response) => {
    if (url === '/readyz') response.end('{"not_ready":{}}');
    else if (answer === null) response.destroy();
    else response.writeHead(429).end(JSON.stringify(answer));
  });
  await using listener = await listening(server);
  expect(await saysOf('service', { ...own, ADMIN_TOKEN: TOKEN, HOURCAST_URL: listener.url })).toEqual([
    `service: ${listener.url} ${says}`,
  ]);
});

test('doctor reports invalid and misspelt settings', async () => {
  expect(await wrongs({ PORT: 'http' })).toEqual([expect.stringMatching(/^settings: .*PORT must be a port number/s)]);
  const { stdout } = await doctorCommand([], { ...own, KEY_PEPER: 'x' });
  expect(stdout).toContain('note   settings: KEY_PEPER is not a setting; did you mean KEY_PEPPER?');
  expect(await doctorCommand(['--jsn'], {})).toMatchObject({ code: 2, stderr: expect.stringContaining('--jsn') });
});

describe('doctor on the database', () => {
  test('doctor reports a database without durability', async () => {
    expect(await saysOf('database', own)).toEqual(
      ['fsync', 'full_page_writes', 'synchronous_commit'].map(
        (name) => `database: What was answered may be lost: ${name} of PostgreSQL must not be off.`,
      ),
    );
  });

  test('doctor reports other planner settings as a note', async () => {
    await using other = await processDatabase();
    const settings = { ...own, ...other.settings };
    const notes = async () =>
      (await examine(settings, () => new Date())).filter(({ check, wrong }) => check === 'database' && !wrong);
    expect(await notes()).toEqual([]);
    for (const setting of ['jit = on', 'enable_hashjoin = off'])
      await other.client.query(`alter database ${other.connection.database} set ${setting}`);
    expect(await notes()).toMatchObject([
      {
        what: 'PostgreSQL plans with other settings than the service was measured with: enable_hashjoin is off (on), jit is on (off). Its own connections set jit and max_parallel_workers_per_gather.',
      },
    ]);
  });

  test('doctor reads the clock, whatever the database’s format of dates', async () => {
    await using other = await processDatabase();
    await other.client.query(`alter database ${other.connection.database} set datestyle = 'SQL, DMY'`);
    expect(await saysOf('clock', { ...own, ...other.settings })).toEqual([]);
  });

  test('doctor reports the host that does not answer among several', async () => {
    const away = `127.0.0.1:${await fixedPort()}`;
    expect(await saysOf('database', { DATABASE_URL: `postgresql://${away}/hourcast` })).toEqual([
      expect.stringMatching(/^database: .*ECONNREFUSED/),
    ]);
    expect(await wrongs({ DATABASE_URL: `postgresql://${away},localhost:1/hourcast` })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(`^servers: ${away} of DATABASE_URL does not answer: .*ECONNREFUSED`),
        'servers: One server of DATABASE_URL must accept writes (got none).',
      ]),
    );
  });

  test('doctor reports a DATABASE_READ_URL that is no standby', async () => {
    expect(await saysOf('replica', { ...own, DATABASE_READ_URL: own['DATABASE_URL'] ?? '' })).toEqual([
      'replica: DATABASE_READ_URL must name a standby (it takes writes): it is not read.',
    ]);
  });

  test('doctor reports a clock that differs from the database’s', async () => {
    expect(await saysOf('clock', own)).toEqual([]);
    expect(await saysOf('clock', own, 5 * SECOND)).toEqual([
      expect.stringMatching(
        /^clock: This machine’s clock is (4\.[5-9]|5\.\d) s ahead of that of the database’s machine/,
      ),
    ]);
  });

  test('doctor reports newer migrations, and those that its role cannot apply', async () => {
    await using other = await processDatabase();
    const settings = { ...own, ...other.settings };
    await launch(settings).then((service) => service.end());
    await other.client.query(`insert into migrations (name) values ('2099-01-01-later')`);
    expect(await saysOf('migrations', settings)).toEqual([expect.stringContaining(': 2099-01-01-later.')]);
    await other.client.query('delete from migrations where id >= (select max(id) - 1 from migrations)');
    expect(await saysOf('migrations', settings)).toEqual([]);
    const user = `poor_${other.connection.database.slice(-8)}`;
    await other.client.query(`create role ${user} login; grant select on migrations, platform, events to ${user}`);
    const poor = { ...settings, DATABASE_URL: databaseUrl({ ...other.connection, user }) };
    expect(await saysOf('migrations', poor)).toEqual([
      expect.stringMatching(/Start the service once as the owner, which makes .*: 1 of \d+ migrations/),
    ]);
    await other.client.query(`drop owned by ${user}; drop role ${user}`);
  });
});

test('doctor counts the connections of processes without a common Redis', async () => {
  const connections = { ...own, PORT: '0', DATABASE_CONNECTIONS: '160' };
  await using _first = await launch(connections);
  expect(await saysOf('connections', connections)).toEqual([]);
  await using _second = await launch(connections);
  const [room = '', alone] = await saysOf('connections', connections);
  expect(room).toMatch(
    /^connections: 2 processes may take 320 connections and others hold \d+, but PostgreSQL has 297/,
  );
  expect(alone).toMatch(/^connections: 2 processes run on this database and REDIS_URL is unset/);
});

test('doctor counts a connection limit of the role as PostgreSQL’s', async () => {
  const user = `few_${database.connection.database.slice(-8)}`;
  await database.client.query(`create role ${user} login connection limit 20`);
  const few = { ...own, DATABASE_URL: databaseUrl({ ...database.connection, user }) };
  expect(await saysOf('connections', few)).toEqual([
    expect.stringMatching(/may take 34 connections .* has 20 for them/),
  ]);
  await database.client.query(`drop role ${user}`);
});

describe('doctor on KEY_PEPPER', () => {
  test('doctor reports a missing or different KEY_PEPPER until the operator confirms it', async () => {
    await using other = await processDatabase();
    const settings = { ...own, ...other.settings, PORT: '0' };
    const first = await launch({ ...settings, KEY_PEPPER: 'the first' });
    expect((await first.end()).stdout).not.toContain('KEY_PEPPER');
    expect(await saysOf('pepper', { ...settings, KEY_PEPPER: 'the first' })).toEqual([]);
    expect(await saysOf('pepper', settings)).toEqual([expect.stringMatching(/^pepper: KEY_PEPPER is unset here\. /)]);
    const second = { ...settings, KEY_PEPPER: 'the second' };
    expect(await saysOf('pepper', second)).toEqual([expect.stringMatching(/^pepper: KEY_PEPPER is not the one /)]);
    const mistaken = await launch(second);
    expect((await mistaken.end()).stdout).toContain('KEY_PEPPER is not the one that this database’s keys');
    expect(await doctorCommand(['--new-pepper'], second)).toMatchObject({ code: 0 });
    expect(await saysOf('pepper', second)).toEqual([]);
  });

  test('a worker that signs refuses another KEY_PEPPER until the operator confirms it, then signs by a new key', async () => {
    await using other = await processDatabase();
    const settings = { ...own, ...other.settings, PORT: '0', WEBHOOKS: 'public' };
    const keysBy = async (pepper: string) => {
      await using service = await launch({ ...settings, KEY_PEPPER: pepper });
      const keys: readonly object[] = (await service.get('/.well-known/hourcast-keys.json')).body.keys;
      return keys;
    };
    const [first] = await keysBy('the first');
    await expect(keysBy('the second')).rejects.toThrow(/KEY_PEPPER must be .*npx hourcast doctor --new-pepper/s);
    for (const _turn of ['once', 'again'])
      expect(await doctorCommand(['--new-pepper'], { ...settings, KEY_PEPPER: 'the second' })).toMatchObject({
        code: 0,
      });
    const [present, former] = await keysBy('the second');
    expect(present).toMatchObject({ retired_at: null });
    expect(former).toEqual({ ...first, retired_at: expect.any(String) });
    expect(await keysBy('the second')).toHaveLength(2);
  });
});

const redisOf = (url: string) => saysOf('redis', { ...own, REDIS_URL: url });

describeWithRedis('doctor on Redis', () => {
  test('doctor reports a Redis that evicts, is full, is a replica, or does not answer', async () => {
    await using good = await startRedis();
    expect(await redisOf(good.url)).toEqual([]);
    await using evicting = await startRedis({
      arguments: ['--maxmemory', '900kb', '--maxmemory-policy', 'allkeys-lru', '--replicaof', `127.0.0.1 ${good.port}`],
    });
    expect(await redisOf(evicting.url)).toEqual([
      'redis: Redis is a replica, which takes no writes: REDIS_URL must name the primary.',
      'redis: Redis may drop jobs and limits: maxmemory-policy must be noeviction (it is allkeys-lru).',
      expect.stringMatching(/^redis: Redis uses \d+ of the 921600 bytes of its maxmemory\.$/),
    ]);
    await good.kill();
    expect(await redisOf(good.url)).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });
});

describe('doctor on exchanges', () => {
  let sources: PlayedSources;
  let live: Settings;

  beforeAll(async () => {
    sources = await playSources(wavyMarket(), FACTORS);
    const { coinbase, kraken, binance } = sources.exchanges;
    live = {
      ...own,
      MARKET: 'live',
      MARKET_SWITCH: 'yes',
      COINBASE_URL: coinbase.url,
      KRAKEN_URL: kraken.url,
      BINANCE_URL: binance.url,
    };
  });
  afterAll(async () => sources[Symbol.asyncDispose]());

  beforeEach(() => void (sources.market.now = new Date()));

  test('doctor reports a database with other prices', async () => {
    expect(await saysOf('exchanges', { ...live, MARKET_SWITCH: '' })).toEqual([
      expect.stringMatching(/^exchanges: MARKET cannot be used: this database was made on prices that are not real/),
    ]);
  });

  test('doctor reports an exchange without prices', async () => {
    expect(await saysOf('exchanges', live)).toEqual([]);
    sources.market.now = new Date();
    sources.exchanges.kraken.fault = { reply: () => 'close' };
    expect(await saysOf('exchanges', live)).toEqual([expect.stringMatching(/^exchanges: kraken returns no prices: /)]);
    sources.exchanges.kraken.fault = null;
  });

  test('doctor reports a clock that differs from the exchanges’', async () => {
    expect(await saysOf('exchanges', live, -HOUR)).toEqual([
      expect.stringMatching(/^exchanges: This machine’s clock is 3\d{3}\.\d s behind that of the exchanges/),
    ]);
  });
});

describe('doctor on the service', () => {
  test('doctor reports the service’s own problems, a wrong token, and no answer', async () => {
    await using service = await launch({ ...own, PORT: '0', ADMIN_TOKEN: TOKEN, REDIS_URL: 'redis://127.0.0.1:1' });
    const beside = { ...own, HOURCAST_URL: service.url, ADMIN_TOKEN: TOKEN };
    expect(await saysOf('service', beside)).toEqual(
      expect.arrayContaining([
        'service: The job queue (redis) does not answer.',
        'service: RedisDown: The queue (redis) does not answer.',
      ]),
    );
    expect(await saysOf('service', { ...beside, ADMIN_TOKEN: 'another-token-0123456' })).toContain(
      `service: ${service.url} refuses ADMIN_TOKEN: it must be that of the service.`,
    );
    await service.end('SIGKILL');
    expect(await saysOf('service', beside)).toEqual([`service: ${service.url} does not answer as Hourcast does.`]);
  });
});
