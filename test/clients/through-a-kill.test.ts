import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { send } from '../support/http.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { until } from '../support/poll.ts';
import { processDatabase } from '../support/process-database.ts';
import { type ServiceProcess, serviceProcess } from '../support/service-process.ts';
import { COMMAND_LINES, type CommandLine } from './command-lines.ts';
import { ask, INSTALLED, valuesOf } from './languages.ts';
import type { Ended, Program } from './programs.ts';

/*
 * Both clients follow the feed, watch, and wait for a round, beside a service whose hours take 4 s. It is killed; what is called
 * while it is away waits for it; it is started again.
 */

/** Takes the first answer of what it gets. */
const BOT = String.raw`sed -E 's/.*"choices":\["([A-Z]+)".*/\1 60/'`;
const PATIENT = ['--patience', '600'];

/** One language, and what runs in it. */
interface Side {
  readonly line: CommandLine;
  readonly key: string;
  readonly cwd: string;
  readonly watch: Program;
  readonly feed: Program;
}

const closing = new AsyncDisposableStack();
let service: ServiceProcess;
let sides: readonly Side[];
let restartedIn = 0;
/** How ended what was called while the service was away, by language and command. */
const ends = new Map<string, Ended>();

beforeAll(async () => {
  const folder = closing.use(await scopedFolder());
  const database = closing.use(await processDatabase());
  service = await serviceProcess({ ...database.settings, CLOCK_SPEED: '900' });
  closing.defer(async () => void (await service.end()));
  await service.start();
  sides = await Promise.all(COMMAND_LINES.map((line) => begin(line, folder.path)));
  await until('an outcome of each', () => sides.every(({ watch }) => outcomesOf(watch).length > 0));
  const waiters = await Promise.all(sides.map(answerAndWait));
  restartedIn = (await send(service.url, { method: 'GET', path: '/api/stats' })).body.active_round_id;
  await service.end('SIGKILL');
  const called = await Promise.all(sides.map(callAll));
  await service.start();
  for (const [name, program] of [...called.flat(), ...waiters]) ends.set(name, await program.ended);
  await until('an outcome, and an opened round, of each after the restart', () =>
    sides.every(({ watch, feed }) =>
      [outcomesOf(watch), openedIn(feed)].every((events) => events.some(({ round_id: id }) => id > restartedIn)),
    ),
  );
});
afterAll(() => closing.disposeAsync());

async function begin(line: CommandLine, folder: string): Promise<Side> {
  const { url } = service;
  const key = await register(`watcher-${line.language}`);
  const cwd = await mkdtemp(join(folder, 'side-'));
  const watch = line.start(['watch', '--answer', BOT, '--json'], { url, key, cwd });
  const [language] = INSTALLED.filter((one) => one.language === line.language);
  if (language === undefined) throw new Error(`${line.language} must be installed`);
  const feed = ask(language, url, { events: { after: 0 } });
  for (const program of [watch, feed]) closing.defer(() => program.kill('SIGKILL'));
  return { line, key, cwd, watch, feed };
}

async function register(name: string): Promise<string> {
  const { body } = await send(service.url, { method: 'POST', path: '/api/agents/register', body: { name } });
  return body.api_key;
}

/** A prediction whose program waits for the end of its round; another try where the hour turns meanwhile. */
async function answerAndWait({ line, cwd }: Side): Promise<readonly [string, Program]> {
  const key = await register(`waiter-${line.language}`);
  for (;;) {
    const { round } = (await send(service.url, { method: 'GET', path: '/api/rounds/current' })).body;
    const words = ['predict', String(round?.choices[0]), '60', '--wait', ...PATIENT];
    const program = line.start(words, { url: service.url, key, cwd });
    let isOver = false;
    void program.ended.then(() => (isOver = true));
    await until('an answer, or a refusal', () => isOver || program.stdout() !== '');
    if (program.stdout() !== '') return [`${line.language} waiting`, program];
  }
}

/** Each command, called while nobody answers; those that wait for the service do so when this resolves. */
async function callAll({ line, key, cwd }: Side): Promise<readonly (readonly [string, Program])[]> {
  const { url } = service;
  ends.set(`${line.language} doctor`, await line.run(['doctor'], { url, key, cwd }));
  const commands = [
    ['activate'],
    ['predict'],
    ['review'],
    ['export', 'rounds'],
    ['backtest', '--answer', BOT],
    ['register', `late-${line.language}`],
  ];
  const programs = commands.map(
    (words) => [`${line.language} ${words[0]}`, line.start([...words, ...PATIENT], { url, key, cwd })] as const,
  );
  await until('tries of all', () => programs.every(([, { stderr }]) => stderr().includes('is out of reach')));
  return programs;
}

interface WatchEvent {
  readonly event: string;
  readonly round_id: number;
}

/** What a watch has told of rounds that are over. */
function outcomesOf({ stdout }: Program): readonly WatchEvent[] {
  return valuesOf(stdout()).filter(({ event }: WatchEvent) => event === 'outcome');
}

/** The rounds that a feed has told of as they opened. */
function openedIn({ stdout }: Pick<Program, 'stdout'>): readonly WatchEvent[] {
  return valuesOf(stdout()).filter(({ kind }: { readonly kind?: string }) => kind === 'ROUND_OPENED');
}

describe.each(COMMAND_LINES.map(({ language }) => language))('%s over a kill of the service', (language) => {
  const side = (): Side => {
    const found = sides.find(({ line }) => line.language === language);
    if (found === undefined) throw new Error(`${language} must run`);
    return found;
  };

  test('the feed has every event exactly once', () => {
    const events = valuesOf(side().feed.stdout()).filter((value) => 'seq' in value);
    const seqs: readonly number[] = events.map(({ seq }: { seq: number }) => seq);
    expect(seqs).toEqual(seqs.map((_seq, at) => at + 1));
    expect(openedIn(side().feed).some(({ round_id: id }) => id > restartedIn)).toBe(true);
  });

  test('the watch continues with one answer a round', async () => {
    const { watch, key } = side();
    const answers = valuesOf(watch.stdout()).filter(({ event }: WatchEvent) => event === 'answer');
    const rounds = answers.map(({ round_id: id }: WatchEvent) => id);
    expect(rounds).toEqual([...new Set(rounds)]);
    const { body } = await send(service.url, { method: 'GET', path: '/api/me', key });
    const stored = body.recent_predictions.map(({ round_id: id }: WatchEvent) => id);
    expect(stored).toEqual([...new Set(stored)]);
    expect(watch.stdout() + watch.stderr()).not.toContain(key);
  });

  test('a program that waits for a round gets its outcome', () => {
    expect(ends.get(`${language} waiting`)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Round \d+.* (points|void)/m),
    });
  });

  test('doctor reports an unreachable service without waiting', () => {
    expect(ends.get(`${language} doctor`)).toMatchObject({ code: 3, stdout: expect.stringContaining('out of reach') });
  });

  test.each(['activate', 'predict', 'review', 'export', 'backtest', 'register'])(
    '%s waits for the service',
    (command) => {
      const { code, stdout } = ends.get(`${language} ${command}`) ?? {};
      expect({ code, hasResult: stdout !== '' }).toEqual({ code: 0, hasResult: true });
    },
  );

  test('the watch ends at SIGTERM with its exit code', async () => {
    const { watch } = side();
    watch.kill('SIGTERM');
    expect((await watch.ended).code).toBe(143);
  });
});
