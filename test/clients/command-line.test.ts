import { readFileSync, statSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, register } from '../support/agents.ts';
import { fixedPort } from '../support/fixed-port.ts';
import { whereInstalled } from '../support/installed.ts';
import { playBets } from '../support/outcomes.ts';
import { ownFolder } from '../support/own-folder.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { type Call, COMMAND_LINES, type CommandLine } from './command-lines.ts';
import { faultyServer } from './faulty-server.ts';
import type { Ended } from './programs.ts';

/* Each command in every language, beside a service whose clock stands still: an hour was answered, and the next one runs. */

const WRONG_KEY = `pk_live_${'0'.repeat(48)}`;
const ESCAPE = '\u001B[';
const CLEAR_LINE = `\r${ESCAPE}K`;
const CODE = { done: 0, failed: 1, usage: 2, unreachable: 3, key: 4 };
const AT_ONCE = ['--patience', '0'];
/** Takes the first answer of what it gets. */
const BOT = String.raw`sed -E 's/.*"choices":\["([A-Z]+)".*/\1 60/'`;

const folder = ownFolder();
let service: TestService;
let player: Player;
let answer: string;
/** Nobody answers there. */
let nowhere: string;

beforeAll(async () => {
  service = await startService();
  nowhere = `http://127.0.0.1:${await fixedPort()}`;
  player = await register(service, 'known-bot');
  await playBets(service, [{ player, right: true, confidence: 70 }]);
  await service.nextHour();
  await service.nextHour();
  answer = firstOf((await currentRound(service)).choices);
});
afterAll(() => service.stop());

const own = (): Call => ({ url: service.url, key: player.key, cwd: folder });

/** These read exports, of which an address gets one at a time. */
const EXPORTING = new Set(['review', 'export', 'backtest']);

/** How the same call ends in each language. */
async function inEach(words: readonly string[], call: Call = own()): Promise<readonly Ended[]> {
  if (!words.some((word) => EXPORTING.has(word)))
    return Promise.all(COMMAND_LINES.map((line) => line.run(words, call)));
  const ended: Ended[] = [];
  for (const line of COMMAND_LINES) ended.push(await line.run(words, call));
  return ended;
}

/** The same on a terminal, which shows both outputs. */
function onTerminal(words: readonly string[], call: Call): Promise<readonly Ended[]> {
  return Promise.all(COMMAND_LINES.map((line) => line.runOnTerminal(words, call)));
}

/** A call without a key, in a folder of its own. */
async function keyless(): Promise<Call & { readonly cwd: string }> {
  return { url: service.url, cwd: await mkdtemp(join(folder, 'new-')) };
}

/** What needs no round to end. */
const COMMANDS = [
  { name: 'activate', words: () => ['activate'], needsKey: true },
  { name: 'doctor', words: () => ['doctor'], needsKey: true },
  { name: 'predict', words: () => ['predict'], needsKey: false },
  { name: 'predict ANSWER 60', words: () => ['predict', answer, '60', '--dry-run'], needsKey: true },
  { name: 'standing', words: () => ['standing'], needsKey: true },
  { name: 'webhooks', words: () => ['webhooks'], needsKey: true },
  { name: 'limits', words: () => ['limits'], needsKey: true },
  { name: 'review', words: () => ['review'], needsKey: true },
  { name: 'export', words: () => ['export', 'predictions'], needsKey: false },
  { name: 'backtest', words: () => ['backtest', '--answer', BOT], needsKey: false },
];

describe(`command lines in ${COMMAND_LINES.map(({ language }) => language).join(' and ')}`, () => {
  test.each(COMMANDS)('$name writes its result into a pipe, without colours and without the key', async ({ words }) => {
    for (const { code, stdout, stderr } of await inEach(words())) {
      expect({ code, stdout }).toEqual({ code: CODE.done, stdout: expect.stringMatching(/./) });
      expect(stdout + stderr).not.toContain(ESCAPE);
      expect(stdout + stderr).not.toContain(player.key);
    }
  });

  test.each(COMMANDS)('$name --json writes JSON', async ({ words }) => {
    for (const { code, stdout } of await inEach([...words(), '--json'])) {
      expect(code).toBe(CODE.done);
      const values = stdout.trimEnd().split('\n');
      expect(values.map((value) => typeof JSON.parse(value))).toEqual(values.map(() => 'object'));
    }
  });

  test.each(COMMANDS)('$name exits with 3 and a message when the service is unreachable', async ({ words }) => {
    for (const { code, stdout, stderr } of await inEach([...words(), ...AT_ONCE], { ...own(), url: nowhere })) {
      expect(code).toBe(CODE.unreachable);
      expect(stdout + stderr).toContain(`${nowhere} is out of reach (ECONNREFUSED).`);
    }
  });

  test.each(COMMANDS.filter(({ needsKey }) => needsKey))(
    '$name exits with 4 when the key is wrong',
    async ({ words }) => {
      for (const { code, stdout, stderr } of await inEach(words(), { ...own(), key: WRONG_KEY })) {
        expect(code).toBe(CODE.key);
        expect(stdout + stderr).toMatch(/valid API key/);
        expect(stdout + stderr).not.toContain(WRONG_KEY);
      }
    },
  );

  test('a command without a key explains how to get one', async () => {
    for (const { code, stderr } of await inEach(['review'], { ...own(), key: '' })) {
      expect({ code, stderr }).toEqual({
        code: CODE.key,
        stderr: expect.stringMatching(/HOURCAST_KEY.*register NAME/),
      });
    }
  });

  test.each([
    { setting: 'a key of another form', call: { key: 'pk_live_' }, code: CODE.key, says: /^The key must be pk_live_ / },
    {
      setting: 'an address that is none',
      call: { url: '127.0.0.1:3000' },
      code: CODE.usage,
      says: /^The address must /,
    },
  ])('$setting is refused with $code before any request', async ({ call, code, says }) => {
    for (const ended of await inEach(['review'], { ...own(), ...call })) {
      expect(ended).toEqual({ code, stdout: '', stderr: expect.stringMatching(says) });
    }
  });

  test('--json writes failures as JSON too', async () => {
    const call = { ...own(), url: nowhere };
    const error = { error: `${nowhere} is out of reach (ECONNREFUSED).`, code: 'unreachable' };
    for (const { stdout } of await inEach(['predict', '--json', ...AT_ONCE], call)) {
      expect(JSON.parse(stdout)).toEqual(error);
    }
    const refused = ['predict', answer, '60', '--json'];
    for (const { stdout } of await inEach(refused, { ...own(), key: WRONG_KEY })) {
      expect(JSON.parse(stdout)).toMatchObject({ status: 401, code: expect.stringMatching(/_key$/) });
    }
  });

  whereInstalled(['script'], 'on a terminal', () => {
    test('results have colours, and none with NO_COLOR', async () => {
      for (const { code, stdout } of await onTerminal(['doctor'], own())) {
        expect({ code, stdout }).toEqual({ code: CODE.done, stdout: expect.stringContaining(`${ESCAPE}32mok`) });
      }
      for (const { stdout } of await onTerminal(['doctor'], { ...own(), env: { NO_COLOR: '1' } })) {
        expect(stdout.replaceAll(CLEAR_LINE, '')).not.toContain(ESCAPE);
      }
    });

    test('a wait of over a second is explained on its own line', async () => {
      const call = { ...own(), url: nowhere };
      for (const { code, stdout } of await onTerminal(['predict', '--patience', '4'], call)) {
        expect(code).toBe(CODE.unreachable);
        expect(stdout).toMatch(/^[^\n]* is out of reach \(ECONNREFUSED\)\. Retrying\./);
        expect(stdout).toContain(`${CLEAR_LINE}${nowhere} is out of reach (ECONNREFUSED). Next try in `);
      }
    });
  });

  test.each([
    { words: ['nothing'], says: /nothing/ },
    { words: ['watch'], says: /--answer must name a program/ },
    { words: ['watch', '--answer', 'x', '--at', '60'], says: /--at must be a whole number from 0 to 59 \(got 60\)/ },
    { words: ['predict', 'XYZ', '60'], says: /ANSWER must be one of/ },
    { words: ['export', 'rounds', '--filter', 'x'], says: /--filter must be NAME=VALUE \(got x\)/ },
    { words: ['doctor', '--loud'], says: /--loud/ },
    { words: ['standing', 'get'], says: /The first word must be one of list, set, remove \(got get\)/ },
    { words: ['standing', 'set', 'direction'], says: /Usage: standing set TYPE ANSWER/ },
    { words: ['standing', 'set', 'up', 'YES', '60'], says: /TYPE must be one of relative, .* \(got up\)/ },
    { words: ['standing', 'set', 'direction', 'YES', '101'], says: /CONFIDENCE must be .* from 0 to 100 \(got 101\)/ },
    { words: ['standing', 'remove', 'direction', '--asset', 'x'], says: /--asset must be one of BTC, .* \(got X\)/ },
    { words: ['webhooks', 'add', 'https://example.com'], says: /Usage: webhooks add URL KIND\.\.\./ },
    { words: ['webhooks', 'test', 'x'], says: /ID must be a whole number from 1 to 2147483647 \(got x\)/ },
    { words: ['backtest'], says: /Either --answer must name a program/ },
    { words: ['backtest', '--answer', 'x', '--candles', '.'], says: /--from and --to must give the hours/ },
    {
      words: ['backtest', '--answer', 'x', '--after-cutoff', 'now'],
      says: /--after-cutoff must be a UTC time .* \(got now\)/,
    },
    ...['1/31/2026', '2026-02-30', '20260131', '2026-01-31T24:00'].map((from) => ({
      words: ['backtest', '--answer', 'x', '--sample', '--from', from],
      says: new RegExp(`--from must be a UTC time .* \\(got ${from}\\)`),
    })),
    {
      words: ['backtest', '--agent', './none.x'],
      says: /--agent must be a module that can be loaded \(.+none\.x.*\)\.\n/,
    },
  ])('the command $words exits with 2 and a usage message', async ({ words, says }) => {
    for (const { code, stdout, stderr } of await inEach(words)) {
      expect({ code, stdout, stderr }).toEqual({ code: CODE.usage, stdout: '', stderr: expect.stringMatching(says) });
      expect(stderr).toMatch(/--help/);
    }
  });

  test('--help writes to stdout and lists the exit codes', async () => {
    for (const { code, stdout, stderr } of [...(await inEach(['--help'])), ...(await inEach(['watch', '--help']))]) {
      expect({ code, stderr }).toEqual({ code: CODE.done, stderr: '' });
      expect(stdout).toMatch(/3 {2}the service is out of reach|--answer/);
    }
  });

  test('a refusal by the service exits with 1 and its message', async () => {
    for (const { code, stderr } of await inEach(['export', 'rounds', '--filter', 'x=y'])) {
      expect(code).toBe(CODE.failed);
      expect(stderr).toContain('A parameter must be one of');
    }
  });

  test('a review begins with the registration, also where the first answer is of a later hour of that day', async () => {
    const agent = { id: 1, name: 'bot', registered_at_iso: '2026-01-01T08:10:00.000Z' };
    const first = JSON.stringify({ id: 1, round_id: 9, score: 0, start_time: '2026-01-01 20:00:00' });
    for (const line of COMMAND_LINES) {
      await using server = await faultyServer([
        { status: 200, body: { agent } },
        { status: 200, body: `${first}\n` },
        { status: 400, body: { error: 'It is known.', code: 'bad_request' } },
      ]);
      await line.run(['review', ...AT_ONCE], { url: server.url, key: player.key });
      const { searchParams } = new URL(server.received.at(-1)?.requestLine.split(' ')[1] ?? '', server.url);
      expect(searchParams.get('from')).toBe(agent.registered_at_iso);
    }
  });

  test('JSON output is the same in all languages', async () => {
    for (const words of [
      ['predict'],
      ['standing'],
      ['webhooks'],
      ['limits'],
      ['review'],
      ['export', 'predictions'],
      ['backtest', '--answer', BOT],
    ]) {
      const written = (await inEach([...words, '--json'])).map(({ stdout }) => stdout.trimEnd().split('\n'));
      const [first, ...others] = written.map((lines) => lines.map((line) => JSON.parse(line)));
      expect(others).toEqual(others.map(() => first));
    }
  });
});

describe.each(COMMAND_LINES)('register in $language', (line: CommandLine) => {
  test('register stores the key in a private file, prints it nowhere, and uses it', async () => {
    const call = await keyless();
    const name = `new-${line.language}`;
    const { code, stdout } = await line.run(['register', name, '--spectate'], call);
    expect(code).toBe(CODE.done);
    const file = join(call.cwd, 'hourcast.json');
    const { url, agent, key } = JSON.parse(readFileSync(file, 'utf8'));
    expect({ url, agent, mode: statSync(file).mode & 0o777 }).toEqual({ url: service.url, agent: name, mode: 0o600 });
    expect(stdout).not.toContain(key);
    const withSlash = await line.run(['activate'], { ...call, url: `${service.url}/` });
    expect(withSlash).toMatchObject({ code: 0, stdout: `${name} competes from now on.\n` });
    const elsewhere = await line.run(['activate'], { ...call, url: nowhere });
    expect(elsewhere).toMatchObject({ code: CODE.key });
    const again = await line.run(['register', 'other'], call);
    expect(again).toMatchObject({ code: CODE.usage, stderr: expect.stringContaining('already has an agent') });
  });

  test('register leaves no file behind when the name is taken', async () => {
    const call = await keyless();
    const refused = await line.run(['register', player.name], call);
    expect(refused).toMatchObject({ code: CODE.failed, stderr: expect.stringContaining('is taken') });
    expect(await line.run(['register', `free-${line.language}`], call)).toMatchObject({ code: CODE.done });
  });
});
