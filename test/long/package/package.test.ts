import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { globSync, lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '../../../src/database/embedded-postgres.ts';
import { dataFolder, openFolder, preparedDataFolder } from '../../support/data-folder.ts';
import { rawHttp } from '../../feed/raw-http.ts';
import { playSources } from '../../market/live/exchanges/played-sources.ts';
import { FACTORS, wavyMarket } from '../../market/live/exchanges/wavy-market.ts';
import { makeOldDatabase, MIGRATIONS_OF_0_3_0 } from '../../support/old-database.ts';
import { installIn, packService } from '../../support/packed.ts';
import { until } from '../../support/poll.ts';
import { begin, type Ended, launch, type RunningService, type Settings } from '../../support/process.ts';

/* The service as its users have it: from the tarball, in an empty folder, on the oldest Node and on the newest. */

const MAX_MB = 200;
const BYTES_OF_MB = 1024 ** 2;
const OLDER_NODE = `node-${process.platform}-${process.arch}@20.19.0`;
/** A round in five seconds. */
const FAST: Settings = { CLOCK_START: '2026-01-01T12:10:00Z', CLOCK_SPEED: '720' };

let folder: string;
let user: string;
const nodes = new Map<string, string>();

beforeAll(async () => {
  folder = await openFolder('hourcast-package-');
  user = join(folder, 'user');
  await installIn(user, [packService(folder)]);
  await installIn(join(folder, 'older'), [OLDER_NODE]);
  nodes.set('20', join(folder, 'older/node_modules/.bin/node'));
  nodes.set('24', process.execPath);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('the installed package has no Node, no TypeScript and no program of the build, and at most 200 MB', () => {
  const files = globSync('node_modules/**/*', { cwd: user });
  const bytes = files.reduce((sum, file) => sum + 512 * lstatSync(join(user, file)).blocks, 0);
  expect(bytes / BYTES_OF_MB).toBeLessThan(MAX_MB);
  expect(
    files.filter((file) => /^node_modules\/(node-(linux|darwin)|esbuild$|altair|highlight|typescript$)/.test(file)),
  ).toEqual([]);
  expect(files.filter((file) => /^node_modules\/hourcast\/.*\.tsx?$/.test(file) && !file.endsWith('.d.ts'))).toEqual(
    [],
  );
});

test('every dependency is imported by the packed programs', () => {
  const { dependencies } = JSON.parse(readFileSync(join(user, 'node_modules/hourcast/package.json'), 'utf8'));
  const programs = globSync(join(user, 'node_modules/hourcast/dist/{src,scripts}/**/*.js')).map((file) =>
    readFileSync(file, 'utf8'),
  );
  const isImported = (name: string): boolean => programs.some((text) => new RegExp(`["'\`]${name}["'\`/]`).test(text));
  expect(Object.keys(dependencies).filter((name) => !isImported(name))).toEqual([]);
});

describe.each(['20', '24'])('on Node %s', (version) => {
  /** The command in the user's folder; `exec` keeps the process number, so that signals reach the service. */
  const hourcast = (...words: readonly string[]): readonly string[] => [
    'sh',
    '-c',
    'cd "$0" && exec "$@"',
    user,
    nodes.get(version) ?? '',
    join(user, 'node_modules/.bin/hourcast'),
    ...words,
  ];
  const run = (settings: Settings, ...words: readonly string[]): Promise<Ended> =>
    begin(settings, hourcast(...words)).ended;

  test('it is that version', () => {
    expect(String(execFileSync(nodes.get(version) ?? '', ['--version']))).toMatch(`v${version}.`);
  });

  test('an older Node is refused with one sentence', async () => {
    const disguise = "data:text/javascript,Object.defineProperty(process,'versions',{value:{node:'20.18.3'}})";
    const [node = '', bin = ''] = hourcast().slice(-2);
    const { code, stdout, stderr } = await begin({}, [node, '--import', disguise, bin]).ended;
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toBe(
      'Hourcast runs on Node 20.19 or newer, and this is Node 20.18.3. ' +
        'Install Node 24.9 or newer from https://nodejs.org, then run the command again.\n',
    );
  });

  test('help lists the commands', async () => {
    const { code, stdout, stderr } = await run({}, 'help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['sandbox', 'demo', 'doctor', 'backup', 'verify'])
      expect(stdout).toContain(`npx hourcast ${word} `);
  });

  test.each(['sandbox', 'demo'])('%s refuses arguments with one sentence', async (command) => {
    const { code, stdout, stderr } = await run({}, command, '--help');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^\w+ must have no argument \(got --help\); .+\n$/);
  });

  test('the service has its data in the current folder, and keeps it over SIGKILL', async () => {
    const name = `agent-${version}`;
    const key = await (async () => {
      await using service = await launch({}, hourcast());
      const { body } = await service.post('/api/agents/register', { name });
      await service.end('SIGKILL');
      return body.api_key;
    })();
    await using service = await launch({}, hourcast());
    expect((await service.get('/api/me', key)).body).toMatchObject({ agent: { name } });
    expect(globSync('.data/postgres/PG_VERSION', { cwd: user })).toHaveLength(1);
    await service.end();
  });

  test('pages, scripts, the IDE, documents and pictures come from the package', async () => {
    await using data = await preparedDataFolder();
    await using service = await launch({ DATA_DIR: data.path }, hourcast());
    const page = await textAt(service, '/');
    const [script = ''] = /\/page\/main-\w+\.js/.exec(page) ?? [];
    const ide = await textAt(service, '/graphql');
    const [ideScript = ''] = /main[\w-]*\.js/.exec(ide) ?? [];
    const statuses = await Promise.all(
      [script, '/leaderboard', `/graphql/ide/${ideScript}`, '/docs/agents', '/openapi.json', '/preview/now.png'].map(
        async (path) => [path, (await fetch(service.url + path)).status],
      ),
    );
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([]);
    expect(await textAt(service, '/docs/agents')).toContain('hljs-');
  });

  test('a prediction in the sandbox is scored', async () => {
    await using data = await dataFolder();
    await using sandbox = await launch({ ...FAST, DATA_DIR: data.path }, hourcast('sandbox'));
    const [, key = ''] = await sandbox.written(/export HOURCAST_KEY=(\w+)/);
    const round = await until('a prediction is accepted', async () => {
      const { round: open } = (await sandbox.get('/api/rounds/current')).body;
      const prediction = { round_id: open?.id, prediction: open?.choices[0], confidence: 60 };
      return (await sandbox.post('/api/predictions', prediction, key)).status === 201 && open.id;
    });
    const scored = await until('the round is decided', async () => {
      const { status, body } = await sandbox.get(`/api/rounds/${round}/results`);
      return status === 200 && body;
    });
    expect(JSON.stringify(scored)).toContain('"you"');
    await sandbox.end();
  });

  test('the prices of exchanges are read', async () => {
    await using data = await preparedDataFolder();
    await using sources = await playSources(wavyMarket(), FACTORS);
    sources.market.now = new Date();
    const urls = Object.entries(sources.exchanges).map(([name, { url }]) => [`${name.toUpperCase()}_URL`, url]);
    const settings = { ...Object.fromEntries(urls), DATA_DIR: data.path, MARKET: 'live' };
    await using service = await launch(settings, hourcast());
    const { body } = await service.get('/api/health');
    expect(body).toMatchObject({ market_source: 'coinbase+kraken+binance', warning: null });
    expect(body.sources).toEqual(
      ['coinbase', 'kraken', 'binance'].map((source) => expect.objectContaining({ source, state: 'up' })),
    );
  });

  describe('upgrades', () => {
    let stack: AsyncDisposableStack;
    let service: RunningService;
    beforeAll(async () => {
      stack = new AsyncDisposableStack();
      const data = stack.use(await preparedDataFolder());
      service = stack.use(await launch({ DATA_DIR: data.path }, hourcast()));
    });
    afterAll(() => stack.disposeAsync());

    test.each([
      ['a client that also offers HTTP/2 is answered normally', '/api/health', 'h2c', '', 200],
      ['a WebSocket whose path is percent-encoded is opened', '/%67raphql', 'websocket', '', 101],
      [
        'a WebSocket with two keys is refused',
        '/graphql',
        'websocket',
        'Authorization: a\r\nAuthorization: b\r\n',
        400,
      ],
      ['a WebSocket elsewhere gets 404', '/', 'websocket', '', 404],
    ])('%s', async (_what, path, protocol, more, status) => {
      const key = `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}\r\n`;
      const head = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${key}${more}\r\n`;
      const { text } = await rawHttp(service.url, head, (all) => all.includes('\r\n\r\n'));
      expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    });
  });

  test('a witness answers', async () => {
    const where = ['--witness', 'w.example=127.0.0.1:0', '--log-file', join(folder, `seen-${version}.json`)];
    const witness = begin({}, hourcast('verify', '--log', 'http://127.0.0.1:1', ...where));
    const [, url = ''] = await witness.written(/ listens on (\S+)/);
    expect((await fetch(url, { method: 'POST', body: '' })).status).toBe(400);
    await witness.end('SIGINT');
  });

  test('doctor, backup, restore and verify work', async () => {
    await using data = await dataFolder();
    await using restored = await dataFolder();
    const settings = { DATA_DIR: data.path };
    const place = join(folder, `backup-${version}`);
    {
      await using service = await launch({ ...FAST, ...settings }, hourcast());
      await until('a round is decided', async () => (await service.get('/api/stats')).body.total_competitions > 0);
      const verified = await run({}, 'verify', '--url', service.url);
      expect(verified).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('no difference') });
      const ended = [await run(settings, 'doctor'), await run(settings, 'backup', place)];
      expect(ended.map(({ code }) => code)).toEqual([0, 0]);
      await service.end();
    }
    expect(await run({ DATA_DIR: restored.path }, 'restore', place)).toMatchObject({ code: 0 });
  });

  test('a data folder of version 0.3.0 is upgraded and keeps its rows', async () => {
    await using data = await preparedDataFolder();
    const postgres = await startEmbeddedPostgres({ dataDir: data.path });
    await makeOldDatabase(postgres.connection, MIGRATIONS_OF_0_3_0);
    await postgres.stop();
    await using service = await launch({ DATA_DIR: data.path, CLOCK_START: '2026-11-22T12:10:00Z' }, hourcast());
    expect((await service.get('/api/agents/1')).body).toMatchObject({ agent: { name: 'Ann' } });
    expect((await service.get('/api/rounds/1')).body).toMatchObject({ round: { question: 'Up?' } });
  });
});

async function textAt(service: RunningService, path: string): Promise<string> {
  return (await fetch(service.url + path, { headers: { accept: 'text/html' } })).text();
}
