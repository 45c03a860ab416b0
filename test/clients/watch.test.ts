import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { register } from '../support/agents.ts';
import { type Listening, listening } from '../support/listening.ts';
import { ownFolder } from '../support/own-folder.ts';
import { until } from '../support/poll.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { COMMAND_LINES } from './command-lines.ts';
import { valuesOf } from './languages.ts';
import type { Program } from './programs.ts';

/* Programs that answer, and some that do not, in every language, beside a service whose clock stands until an hour is turned. */

/** Takes the first choice of the round that it gets. */
const FIRST_CHOICE = String.raw`sed -E 's/.*"choices":\["([A-Z]+)".*/\1 60/'`;

/** Stands for a machine of Windows, where Python writes into pipes by another code than UTF-8. */
const NO_UTF8 = { PYTHONIOENCODING: 'cp1252', LC_ALL: 'C', PYTHONUTF8: '0', PYTHONCOERCECLOCALE: '0' };

const MINUTE = 60_000;

const folder = ownFolder();
let service: TestService;
let agents = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A proxy before the service that notes the paths, refuses to list an agent's predictions, and fails at the `faults` once. */
function withoutOwnPredictions(target: string, paths: string[] = [], faults: string[] = []): Promise<Listening> {
  const left = new Set(faults);
  const server = createServer((incoming, response) => {
    const { method = 'GET', headers, url = '' } = incoming;
    response.once('finish', () => paths.push(url));
    if (url.startsWith('/api/me/predictions')) {
      const body = '{"error":"Not now.","code":"bad_request"}';
      response.writeHead(400, { 'content-type': 'application/json' }).end(body);
      return;
    }
    if (left.delete(url)) {
      response.writeHead(500).end();
      return;
    }
    const outgoing = request(target + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing.once('error', () => response.destroy()));
  });
  return listening(server);
}

/** The first event of a kind that a watch tells. */
function eventOf({ stdout }: Program, kind: string) {
  return until(`the event ${kind}`, () => valuesOf(stdout()).find(({ event }) => event === kind) ?? null);
}

describe.each(COMMAND_LINES)('watch in $language', (line) => {
  /** A watch for a new agent whose program is this shell script. */
  async function watch(
    script: string,
    { mode = 'compete', words = ['--rounds', '1'], env = {}, url = service.url } = {},
  ) {
    const { key } = await register(service, `agent-${(agents += 1)}`, { mode });
    const cwd = await mkdtemp(join(folder, 'bot-'));
    writeFileSync(join(cwd, 'bot.sh'), script);
    const call = { url, key, cwd, env };
    return { cwd, key, program: line.start(['watch', '--answer', 'sh bot.sh', '--json', ...words], call) };
  }

  test('the program gets round, prices and reference; its last line is the answer; the outcome follows', async () => {
    const round = await currentRound(service);
    const choice = firstOf(round.choices);
    const { cwd, program } = await watch(`cat > given.json; echo thinking; echo '${choice}  61 %'`);
    expect(await eventOf(program, 'answer')).toEqual({
      event: 'answer',
      round_id: round.id,
      prediction: choice,
      confidence: 61,
      id: expect.any(Number),
      leaf_hash: expect.stringMatching(/^[\w+/]{43}=$/),
    });
    const given = JSON.parse(readFileSync(join(cwd, 'given.json'), 'utf8'));
    expect(given).toMatchObject({
      round: { id: round.id, choices: round.choices },
      time_remaining_seconds: expect.any(Number),
      market: { assets: { BTC: { price_usd: expect.any(Number) } } },
      reference: round.choices.map((answer) => ({ answer, probability: expect.any(Number) })),
    });
    await service.nextHour();
    expect((await program.ended).code).toBe(0);
    // The next round, which runs already, is beyond what it was asked for.
    const events = valuesOf(program.stdout());
    expect(events.map(({ event }) => event)).toEqual(['answer', 'outcome']);
    expect(events[1]).toMatchObject({
      event: 'outcome',
      round_id: round.id,
      prediction: choice,
      score: expect.any(Number),
    });
  });

  test('a minute in the past causes no wait, and an answer can be JSON', async () => {
    const choice = firstOf((await currentRound(service)).choices);
    const words = { rationale: 'A coin of K\u00F6ln said \u6771', model: 'a coin' };
    // As programs write a share that they round.
    const answer = JSON.stringify({ prediction: choice, confidence: '55.0', ...words }).replace('"55.0"', '55.0');
    const { program } = await watch(`echo '${answer}'`, { words: ['--rounds', '1', '--at', '5'], env: NO_UTF8 });
    expect(await eventOf(program, 'answer')).toMatchObject({ prediction: choice, confidence: 55, ...words });
    await service.nextHour();
    expect((await program.ended).code).toBe(0);
  });

  test('a minute is by the service’s clock of the round, also after this machine slept', async () => {
    const { program } = await watch(FIRST_CHOICE, { words: ['--rounds', '2', '--at', '5'] });
    const answers = () => valuesOf(program.stdout()).filter(({ event }) => event === 'answer').length;
    await until('the first answer', () => answers() === 1);
    // The hour passes at once, as for a machine that slept through it.
    await service.nextHour();
    await until('the second answer', () => answers() === 2);
    await service.nextHour();
    expect((await program.ended).code).toBe(0);
  });

  test('a minute that the machine sleeps through while the watch waits for it is answered in its round', async () => {
    const paths: string[] = [];
    await using proxy = await withoutOwnPredictions(service.url, paths);
    const { id } = await currentRound(service);
    const { program } = await watch(FIRST_CHOICE, { url: proxy.url, words: ['--rounds', '1', '--at', '40'] });
    await until('the wait', () => paths.includes('/api/health'));
    service.clock.set(new Date(service.clock.now().getTime() + 45 * MINUTE));
    expect(await eventOf(program, 'answer')).toMatchObject({ round_id: id });
    await service.nextHour();
    await program.ended;
  });

  test('an outcome that cannot be read is reported, and the next round is answered', async () => {
    await using proxy = await withoutOwnPredictions(service.url);
    const { program } = await watch(FIRST_CHOICE, { url: proxy.url, words: ['--rounds', '2'] });
    const kinds = () => valuesOf(program.stdout()).map(({ event }) => String(event));
    await until('the first answer', () => kinds().length === 1);
    await service.nextHour();
    await until('the second answer', () => kinds().filter((event) => event === 'answer').length === 2);
    expect(await eventOf(program, 'failure')).toMatchObject({ error: 'Not now.', code: 'bad_request' });
    await service.nextHour();
    expect((await program.ended).code).toBe(1);
    expect(kinds().toSorted((one, other) => one.localeCompare(other))).toEqual([
      'answer',
      'answer',
      'failure',
      'failure',
    ]);
  });

  test('a fault of the service at the feed or at the current round does not end the watch', async () => {
    const paths: string[] = [];
    const faults = ['/api/events', '/api/rounds/current'];
    await using proxy = await withoutOwnPredictions(service.url, paths, faults);
    const { program } = await watch(FIRST_CHOICE, { url: proxy.url });
    await until('both faults', () => faults.every((path) => paths.includes(path)));
    await service.nextHour();
    const { id } = await currentRound(service);
    expect(await eventOf(program, 'answer')).toMatchObject({ round_id: id });
    await service.nextHour();
    await program.ended;
  });

  test.each([
    { script: 'exit 7', error: 'the program ended with code 7', code: 'no_answer' },
    {
      script: 'echo maybe',
      error: expect.stringMatching(/^the program's last line must be an answer such as/),
      code: 'no_answer',
    },
    { script: 'echo NOTHING 50', error: expect.stringContaining('NOTHING'), code: 'invalid_parameter' },
  ])('"$script" gives no answer, which is reported', async ({ script, error, code }) => {
    const { id } = await currentRound(service);
    const { program } = await watch(script);
    expect(await eventOf(program, 'failure')).toEqual({ event: 'failure', round_id: id, error, code });
    await service.nextHour();
    expect((await program.ended).code).toBe(1);
  });

  test('a program without output skips the round', async () => {
    const { program } = await watch('cat > given.json');
    await until('a word about it', () => program.stderr().includes('gave no answer'));
    await service.nextHour();
    expect((await program.ended).code).toBe(1);
  });

  test('the watch exits at once with 4 for a wrong key, with 1 for a spectator', async () => {
    const call = { url: service.url, key: `pk_live_${'0'.repeat(48)}`, cwd: folder };
    expect(await line.run(['watch', '--answer', 'true'], call)).toMatchObject({ code: 4 });
    const { program } = await watch(`echo ${firstOf((await currentRound(service)).choices)} 50`, { mode: 'spectate' });
    await service.nextHour();
    const { code, stderr } = await program.ended;
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('A spectator cannot predict') });
  });

  test.each([
    { signal: 'SIGINT', code: 130 },
    { signal: 'SIGTERM', code: 143 },
  ] as const)('$signal ends the watch with $code, and all processes of its program', async ({ signal, code }) => {
    const { cwd, program } = await watch('sleep 100000 & echo $! > started; wait');
    await until('a started program', () => existsSync(join(cwd, 'started')));
    program.kill(signal);
    // The output of the watch is closed by the last of those that inherited it.
    expect((await program.ended).code).toBe(code);
  });
});
