import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { applyOutcome } from '../../../src/jobs/apply-outcome.ts';
import { addAgents, type Arena, only, openArena } from '../../support/arena.ts';
import { endOf, insertRound, NO_CANDLES } from '../inserted-round.ts';
import { insertStandings, type StandingRow } from '../inserted-standings.ts';
import { type Seeded, seeded } from '../../support/seeded.ts';
import { boardsNow, boardsOf, standingsNow } from '../standings-now.ts';

let arena: Arena;

const AGENTS = 180;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS);
});

afterAll(() => arena.close());

async function playRound(agents: readonly number[], hour = 0): Promise<void> {
  const predictions = agents.map((agentId) => ({ agentId, prediction: 'YES', confidence: 80, afterMs: 0 }));
  const round = await insertRound(arena, { hour, choices: ['YES', 'NO'], predictions });
  await applyOutcome(arena.newEm(), round, { ...NO_CANDLES, now: endOf(hour), answer: 'YES' });
}

/** Few different points and wins, so that most agents share theirs with others; some have none in a window. */
function crowdedStanding(agentId: number, random: Seeded): StandingRow {
  const sums = ['daily', 'weekly', 'monthly', 'alltime'].flatMap((period) => {
    if (random.chance(0.3)) return [];
    const wins = random.between(0, 2);
    return [
      [`${period}_points`, 10 * random.between(-3, 3)],
      [`${period}_wins`, wins],
      [`${period}_competitions`, wins + 1],
    ];
  });
  return { agent_id: agentId, ...Object.fromEntries(sums) };
}

test('boards hold the first 100 by points, wins and id, with shared ranks, of those with a scored prediction', async () => {
  const random = seeded(3);
  for (let run = 0; run < 8; run += 1) {
    await arena.reset();
    const count = random.pick([40, 120, AGENTS]);
    const agents = Array.from({ length: count }, (_, place) => place + 1);
    await insertStandings(
      arena,
      agents.map((agentId) => crowdedStanding(agentId, random)),
    );
    await playRound(agents.filter(() => random.chance(0.2)));
    const boards = await boardsNow(arena);
    expect(boards).toEqual(boardsOf(await standingsNow(arena)));
    expect(boards.length).toBeGreaterThan(count === 40 ? 80 : 300);
  }
});

test('more than 100 agents with the same points share the first rank, and the lowest ids are listed', async () => {
  await arena.reset();
  await playRound(Array.from({ length: AGENTS }, (_, place) => place + 1));
  const weekly = (await boardsNow(arena)).slice(-100);
  expect(weekly).toEqual(
    Array.from({ length: 100 }, (_, place) => ({
      period: 'weekly',
      position: place + 1,
      agent_id: place + 1,
      rank: 1,
    })),
  );
});

test.each([
  ['daily', 24],
  ['weekly', 7 * 24],
  ['monthly', 30 * 24],
])('the %s board holds a round until exactly %i hours later another one ends', async (period, hours) => {
  await arena.reset();
  const listed = async () => {
    const rows = await arena.query<{ agent_id: number }>(
      'select agent_id from board_places where period = $1 order by position',
      [period],
    );
    return rows.map(({ agent_id }) => agent_id);
  };
  await playRound([1]);
  await playRound([2], hours - 1);
  expect(await listed()).toEqual([1, 2]);
  await playRound([3], hours);
  expect(await listed()).toEqual([2, 3]);
  await playRound([4], 2 * hours);
  expect(await listed()).toEqual([4]);
  expect(await only(arena, `select count(*)::int as n from board_places where period = 'alltime'`)).toEqual({ n: 4 });
});

test('a round that is decided late enters only the windows that it still lies in', async () => {
  await arena.reset();
  await playRound([1], 100);
  await playRound([2], 76);
  await playRound([3], 77);
  expect(
    await arena.query('select agent_id, daily_competitions as d, weekly_competitions as w from standings order by 1'),
  ).toEqual([
    { agent_id: 1, d: 1, w: 1 },
    { agent_id: 2, d: 0, w: 1 },
    { agent_id: 3, d: 1, w: 1 },
  ]);
  expect(await only(arena, 'select newest_resolved_end from platform')).toEqual({ newest_resolved_end: endOf(100) });
});
