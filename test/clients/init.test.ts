import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';

import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { profileOf } from '../support/agents.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { whereInstalled } from '../support/installed.ts';
import { decide } from '../support/outcomes.ts';
import { ownFolder } from '../support/own-folder.ts';
import { until } from '../support/poll.ts';
import { currentRound, firstOf, startOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { COMMAND_LINES, type CommandLine } from './command-lines.ts';
import { faultyServer, refusal, type Step } from './faulty-server.ts';
import { KEY } from './languages.ts';
import { run, start } from './programs.ts';

/* Folders of new bots, made by both command lines in every language, beside a service whose clock stands still. */

const MINUTE = 60_000;
const USAGE = 2;
const NODE = [process.execPath];
const PROGRAMS = {
  js: { program: [...NODE, 'bot.mjs'], ownTest: [...NODE, '--test'] },
  llm: { program: [...NODE, 'bot.mjs'], ownTest: [...NODE, '--test'] },
  python: { program: ['python3', 'bot.py'], ownTest: ['python3', '-m', 'unittest'] },
} as const;

const LANGUAGES = ['js', 'llm', 'python'] as const;
const BOTS = COMMAND_LINES.flatMap((line) =>
  LANGUAGES.map((language) => ({ line, language, name: `${line.language}-${language}`, ...PROGRAMS[language] })),
);

const folder = ownFolder();
let service: TestService;
/** Nobody answers there. */
let nowhere: string;

beforeAll(async () => {
  service = await startService();
  nowhere = `http://127.0.0.1:${await fixedPort()}`;
});
afterAll(() => service.stop());

const init = (line: CommandLine, words: readonly string[], cwd = folder) =>
  line.run(['init', ...words], { url: service.url, cwd });

const textOf = (name: string, file: string): string => readFileSync(join(folder, name, file), 'utf8');

/** Without the variables of the tests' own runner. */
const placeOf = (name: string, env = {}) => ({
  cwd: join(folder, name),
  env: { PYTHONDONTWRITEBYTECODE: '1', ...env },
});

const runIn = (name: string, command: readonly string[], env = {}) => run(command, placeOf(name, env));

describe.each(BOTS)('$name', ({ line, language, name, program, ownTest }) => {
  test('init makes a folder whose test passes without a service', async () => {
    const made = await init(line, [name, '--language', language]);
    expect(made).toEqual({ code: 0, stderr: '', stdout: expect.stringContaining(`cd ${name} && `) });
    const { code, stdout, stderr } = await runIn(name, ownTest, { HOURCAST_URL: nowhere });
    expect({ code, output: stdout + stderr }).toEqual({ code: 0, output: expect.stringMatching(/pass 4|OK/) });
    expect(existsSync(join(folder, name, 'hourcast.json'))).toBe(false);
  });

  test('the workflow registers nothing without its secret', async () => {
    await using server = await faultyServer([refusal(400, 'invalid_parameter')]);
    const { run: command } = parse(textOf(name, '.github/workflows/bot.yml')).jobs.answer.steps.at(-1);
    const env = { HOURCAST_URL: server.url, HOURCAST_KEY: '' };
    const { code, stderr } = await runIn(name, ['bash', '-e', '-c', command], env);
    expect({ isDone: code === 0, stderr, received: server.received }).toEqual({
      isDone: false,
      stderr: expect.stringContaining('HOURCAST_KEY'),
      received: [],
    });
  });

  test('the first run registers and answers, and the second leaves the answer', async () => {
    const first = await runIn(name, program);
    expect(first).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^\S+ is registered;.*\nRound/) });
    const file = join(folder, name, 'hourcast.json');
    const { url, agent, key } = JSON.parse(readFileSync(file, 'utf8'));
    expect({ url, agent, mode: statSync(file).mode & 0o777 }).toEqual({ url: service.url, agent: name, mode: 0o600 });
    expect(first.stdout).not.toContain(key);
    expect(await runIn(name, program)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/^Round/) });
    const { body } = await service.request('GET', '/api/me/standing', { key });
    const types = body.rows.map(({ question_type: type }: { question_type: string }) => type);
    expect(types.toSorted()).toEqual(QUESTION_TYPES.toSorted());
    expect((await profileOf(service, { key })).recent_predictions).toHaveLength(1);
  });

  test('schedules are at one minute of the hour, the same everywhere and never 0', () => {
    const [, minute = ''] = /^(\d+) \* \* \* \* /m.exec(textOf(name, 'schedule/crontab')) ?? [];
    expect(Number(minute)).toBeGreaterThanOrEqual(7);
    expect(Number(minute)).toBeLessThanOrEqual(47);
    const workflow = parse(textOf(name, '.github/workflows/bot.yml'));
    expect(workflow.on.schedule).toEqual([{ cron: `${minute} * * * *` }]);
    expect(workflow.jobs.answer.steps.at(-1)).toMatchObject({
      run: `: "\${HOURCAST_KEY:?must be a secret}" && ${program.join(' ').replace(process.execPath, 'node')}`,
    });
    expect(textOf(name, `schedule/hourcast-${name}.timer`)).toContain(`OnCalendar=*-*-* *:${minute}:00\n`);
    expect(textOf(name, 'README.md')).toContain('`loginctl enable-linger`');
    expect(textOf(name, 'settings.env')).toContain(`HOURCAST_MINUTE=${minute}\n`);
    const all = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' });
    const files = all.filter((file) => statSync(join(folder, name, file)).isFile());
    for (const file of files) expect(textOf(name, file)).not.toMatch(/__[A-Z]+__/);
    for (const file of ['.gitignore', '.dockerignore']) expect(textOf(name, file)).toContain('hourcast.json\n');
  });

  whereInstalled(['systemd-analyze'], 'systemd', () => {
    test('systemd accepts the unit and the timer', async () => {
      for (const kind of ['service', 'timer']) {
        const unit = join(folder, name, `schedule/hourcast-${name}.${kind}`);
        chmodSync(unit, 0o644);
        expect(await run(['systemd-analyze', 'verify', '--man=no', unit])).toMatchObject({ code: 0, stderr: '' });
      }
    });
  });
});

/** Without a language model, and made by one of the command lines. */
const BARE = BOTS.filter(({ language, line }) => language !== 'llm' && line.language === 'JavaScript');

/** A service with a running round, which does this when it is sent anything. */
const running = (sent: Step, standing?: Step) =>
  faultyServer((requestLine) => {
    if (!requestLine.startsWith('GET')) return sent;
    return requestLine === 'GET /api/me/standing' && standing !== undefined ? standing : { status: 200, body: RUNNING };
  });

/** The answers to all reads in one. */
const RUNNING = {
  round: { id: 7, question_type: 'podium', prediction_format: 'choice', choices: ['BTC', 'ETH'], params: {} },
  time_remaining_seconds: 600,
  rows: [{}],
  assets: { BTC: { change_1h: 1 }, ETH: { change_1h: 2 } },
  rounds: [],
};

test.each(BARE)('$name sends a refused answer once, and ends with 1 unless it stays', async ({ name, program }) => {
  await using server = await running(refusal(400, 'round_locked'));
  const env = { HOURCAST_URL: server.url, HOURCAST_KEY: KEY, HOURCAST_LOOK_SECONDS: '0.05' };
  const refused = 'It cannot be.\n';
  expect(await runIn(name, program, env)).toEqual({ code: 1, stdout: '', stderr: refused });
  const staying = start([...program, '--stay'], placeOf(name, env));
  await until('looks after the answer', () => server.received.length > 20);
  staying.kill('SIGTERM');
  expect(await staying.ended).toMatchObject({ stdout: refused, stderr: '' });
  expect(server.received.filter(({ requestLine }) => requestLine === 'POST /api/predictions')).toHaveLength(2);
});

test.each(BARE)('$name does not send its key where it is redirected', async ({ name, program }) => {
  await using elsewhere = await faultyServer([{ status: 200, body: RUNNING }]);
  const location = `${elsewhere.url}/api/me/standing`;
  await using server = await running({ status: 201 }, { status: 302, headers: { location } });
  await runIn(name, program, { HOURCAST_URL: server.url, HOURCAST_KEY: KEY });
  expect(server.received.at(1)).toMatchObject({ requestLine: 'GET /api/me/standing', authorization: `Bearer ${KEY}` });
  expect(elsewhere.received.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
});

test('every bot has a score when the hour is over', async () => {
  const round = await currentRound(service);
  decide(service, round, firstOf(round.choices));
  await service.nextHour();
  for (const { name } of BOTS) {
    const { key } = JSON.parse(textOf(name, 'hourcast.json'));
    const { recent_predictions: predictions } = await profileOf(service, { key });
    expect({ name, predictions }).toEqual({
      name,
      predictions: [expect.objectContaining({ score: expect.any(Number) })],
    });
  }
});

test.each(BARE)('$name, which runs in 6 of 24 hours, has an answer in all', async ({ name, program }) => {
  const { key } = JSON.parse(textOf(name, 'hourcast.json'));
  for (let hour = 0; hour < 24; hour += 1) {
    await service.nextHour();
    if (hour % 4 === 0) expect(await runIn(name, program)).toMatchObject({ code: 0, stderr: '' });
    service.clock.set(new Date(startOf(await currentRound(service)).getTime() + 55 * MINUTE));
    await service.turn();
  }
  await service.nextHour();
  const { rounds } = (await service.request('GET', '/api/me/rounds?limit=24', { key })).body;
  const states = Array.from({ length: 24 }, (_, hour) => (hour % 4 === 0 ? 'predicted' : 'standing'));
  expect(rounds.map(({ state }: { state: string }) => state)).toEqual(states.toReversed());
});

test.each(BARE)('$name asks again after a page of a proxy, and after half an answer', async ({ name, program }) => {
  await using server = await faultyServer([
    { status: 200, body: '<html>' },
    { status: 200, body: '{"rou', headers: { 'content-length': '20' }, isCut: true },
    { status: 200, body: { round: null, time_remaining_seconds: 0 } },
  ]);
  const { code, stdout } = await runIn(name, program, { HOURCAST_URL: server.url, HOURCAST_KEY: KEY });
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^(.+ Again in \d s\n){2}No round/) });
});

test.each([
  { name: 'bot-30', minute: 7 },
  { name: 'BOT-49', minute: 47 },
])('the minute of $name is $minute, at an end of the range', async ({ name, minute }) => {
  for (const line of COMMAND_LINES) {
    const cwd = await mkdtemp(join(folder, 'minute-'));
    expect(await init(line, [name], cwd)).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, name, 'schedule/crontab'), 'utf8')).toContain(`\n${minute} * * * * cd '`);
  }
});

/** The one sentence of all command lines. */
const sentenceOf = async (words: readonly string[], cwd = folder) => {
  const all = await Promise.all(COMMAND_LINES.map((line) => init(line, words, cwd)));
  for (const { code, stdout } of all) expect({ code, stdout }).toEqual({ code: USAGE, stdout: '' });
  const first = all.map(({ stderr }) => stderr.split('\n')[0]);
  expect(new Set(first).size).toBe(1);
  return first[0];
};

describe('init refuses', () => {
  test('a folder with a file of the bot, and writes nothing', async () => {
    const name = 'started';
    await mkdir(join(folder, name));
    writeFileSync(join(folder, name, 'settings.env'), 'mine');
    expect(await sentenceOf([name, '--language', 'js'])).toBe(
      'started must have no file of the bot (it has settings.env): move it away, or choose another name.',
    );
    expect(readdirSync(join(folder, name))).toEqual(['settings.env']);
    writeFileSync(join(folder, 'file'), '');
    expect(await sentenceOf(['file'])).toBe('file must be a folder, or not exist (it is a file).');
  });

  test.each(['ab', 'my bot', '../up', 'Coin', 'Hour-cast', 'nu_ll', 'removed-7', 'é-bot'])(
    'the name %j, as registration does',
    async (name) => {
      const { body } = await service.request('POST', '/api/agents/register', { body: { name } });
      expect(await sentenceOf([name])).toBe(body.error);
    },
  );

  test('an unknown language, and a folder that schedules cannot quote', async () => {
    expect(await sentenceOf(['my-bot', '--language', 'rust'])).toBe(
      '--language must be one of js, python, llm (got rust).',
    );
    const odd = join(folder, '100%');
    await mkdir(odd);
    expect(await sentenceOf(['my-bot'], odd)).toMatch(/^The folder's path must have no quotes, .*100%\/my-bot\)\.$/);
  });
});

test.each(COMMAND_LINES)(
  'init --register of $language registers at once, and makes no bot of a taken name',
  async (line) => {
    const name = `at-once-${line.language}`;
    expect(await init(line, [name, '--register'])).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(textOf(name, 'hourcast.json'))).toMatchObject({ url: service.url, agent: name });
    expect(statSync(join(folder, name, 'hourcast.json')).mode & 0o777).toBe(0o600);
    const elsewhere = await mkdtemp(join(folder, 'elsewhere-'));
    expect(await init(line, [name, '--register'], elsewhere)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is taken'),
    });
    expect(readdirSync(join(elsewhere, name))).toEqual([]);
  },
);
