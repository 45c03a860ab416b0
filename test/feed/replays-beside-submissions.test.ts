import { afterAll, beforeAll, expect, test } from '@jest/globals';

import type { NewEvent } from '../../src/feed/event-log.ts';
import { until } from '../support/poll.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { rawSocket } from '../support/raw-socket.ts';
import { write } from '../support/written-events.ts';

const AGENTS = 12;
const ROUNDS = 3;
const EVENTS = 600;
const DOCUMENTS = 90;

let service: TestService;
const players: Player[] = [];
beforeAll(async () => {
  service = await startService();
  for (let n = 1; n <= AGENTS; n += 1) players.push(await register(service, `agent-${n}`, { mode: 'compete' }));
  const rounds: number[] = [];
  for (let played = 0; played < ROUNDS; played += 1) {
    rounds.push((await currentRound(service)).id);
    await Promise.all(players.map((player) => predict(service, player)));
    await service.nextHour();
  }
  await write(service, eventsOf(rounds));
  service.nudge();
});
afterAll(() => service.stop());

/** Many events about rounds that everybody was in, as a month of hours leaves them. */
function eventsOf(rounds: readonly number[]): readonly NewEvent[] {
  return Array.from({ length: EVENTS }, (_, place) => ({
    kind: 'ROUND_RESOLVED',
    roundId: rounds[place % rounds.length] ?? null,
    payload: {},
  }));
}

/** Costs nearly all that one execution may; the alias makes it a document that nobody shares. */
function documentOf(n: number): string {
  return `subscription { events(after: 0) { seq round { own${n}: id
    predictions(first: 100) { nodes { agent { totalPoints recentPredictions { id } } } } } } }`;
}

test('agents submit and read the round while 90 replays wait for a locked table', async () => {
  const { id, choices } = await currentRound(service);
  await using locked = await lockStandings();
  const sockets = await Promise.all([rawSocket(service.url), rawSocket(service.url)]);
  for (let n = 0; n < DOCUMENTS; n += 1) sockets[n % 2]?.subscribe(String(n), documentOf(n));
  await locked.waitedFor();

  const submitted = await Promise.all(
    players.map(({ key }) =>
      service.request('POST', '/api/predictions', {
        key,
        body: { round_id: id, prediction: choices[0], confidence: 60 },
      }),
    ),
  );
  expect(submitted.map(({ status }) => status)).toEqual(players.map(() => 201));
  expect((await currentRound(service)).id).toBe(id);
  for (const { socket } of sockets) socket.terminate();
});

/** Keeps everybody from reading agents' standings, which no submission does. */
async function lockStandings() {
  const held = Promise.withResolvers<void>();
  const given = Promise.withResolvers<void>();
  const done = service.newEm().transactional(async (em) => {
    await em.execute('lock table standings in access exclusive mode');
    held.resolve();
    await given.promise;
  });
  await held.promise;
  return {
    /** Resolves when a replay waits for the lock. */
    async waitedFor(): Promise<void> {
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await until('a replay that waits', async () => (await service.newEm().execute(waiting)).length > 0);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      given.resolve();
      await done;
    },
  };
}
