import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { type Player, registerMany } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { eventSource, type StreamedEvent } from '../support/event-source.ts';
import { currentRound } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { receive, socketClient } from '../support/socket-client.ts';

const BURST = 200;

let database: TestDatabase;
let here: TestService;
let there: TestService;
let players: readonly Player[];
beforeAll(async () => {
  database = await createTestDatabase();
  const intervals = { entriesMs: 20 };
  here = await startService({ database, intervals });
  there = await startService({ database, intervals });
  players = await registerMany(here, 'one-of-many', BURST);
});
afterAll(async () => {
  await here.stop();
  await there.stop();
  await database.drop();
});

const STATE = 'id totalEntries crowd { n answers { n } } crowdHistory { n }';

interface RoundState {
  readonly id: number;
  readonly totalEntries: number;
  readonly crowd: { readonly n: number; readonly answers: readonly { readonly n: number }[] };
  readonly crowdHistory: readonly { readonly n: number }[];
}

/** How many entries a state has by each figure that counts them. */
function countsIn({ totalEntries, crowd, crowdHistory }: RoundState): object {
  const answers = crowd.answers.reduce((sum, { n }) => sum + n, 0);
  return { totalEntries, crowd: crowd.n, answers, history: crowdHistory.at(-1)?.n ?? 0 };
}

function countsOf(n: number): object {
  return { totalEntries: n, crowd: n, answers: n, history: n };
}

/** All answer at once, at both processes; each time one has, both are asked for the round. Returns what they said. */
async function answerAtOnce(): Promise<readonly RoundState[]> {
  const { id, choices } = await currentRound(here);
  const both = [here, there];
  const states = await Promise.all(
    players.map(async ({ key }, place) => {
      const body = { round_id: id, prediction: choices[place % choices.length], confidence: place % 101 };
      const service = place % 2 === 0 ? here : there;
      expect((await service.request('POST', '/api/predictions', { key, body })).status).toBe(201);
      return Promise.all(both.map(async (one) => (await dataOf(one, `{ currentRound { ${STATE} } }`)).currentRound));
    }),
  );
  return states.flat();
}

test('every update and answer of a burst has the same count of entries, up to the last', async () => {
  const listeners = [here, there].map(({ url }) =>
    receive<{ roundUpdated: RoundState }>(socketClient(url), `subscription { roundUpdated { ${STATE} } }`),
  );
  await Promise.all(listeners.map((one) => one.first(1)));
  const answered = await answerAtOnce();
  const pushed = await Promise.all(
    listeners.map((one) => one.until((found) => found.at(-1)?.data?.roundUpdated.totalEntries === BURST)),
  );
  const states = [...answered, ...pushed.flat().flatMap(({ data }) => data?.roundUpdated ?? [])];
  expect(states.length).toBeGreaterThan(2 * BURST);
  expect(states.map(countsIn)).toEqual(states.map(({ totalEntries }) => countsOf(totalEntries)));
  await Promise.all(listeners.map((one) => one[Symbol.asyncDispose]()));
});

test('server-sent events have as many entries at the end of the round as its crowd', async () => {
  using stream = eventSource(`${there.url}/api/events`);
  await stream.first(1);
  const { id } = await currentRound(here);
  await here.nextHour();
  there.nudge();
  const closed = (await stream.until((found) => found.some(isClosing))).find(isClosing);
  const { round } = await dataOf(there, `{ round(id: ${id}) { ${STATE} } }`);
  expect(closed?.payload).toMatchObject({ total_entries: BURST });
  expect(countsIn(round)).toEqual(countsOf(BURST));
});

function isClosing({ kind }: StreamedEvent): boolean {
  return kind === 'ROUND_CLOSED';
}
