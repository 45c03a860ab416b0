import { expect, test } from '@jest/globals';

import { only } from '../../support/arena.ts';
import { endOf, insertDecided } from '../inserted-round.ts';
import { insertStandings, type StandingRow } from '../inserted-standings.ts';
import { type Seeded, seeded } from '../../support/seeded.ts';
import { BOARD_FACTS, factDifferences } from '../../oracle/stored-facts.ts';
import { sharedArena } from '../../support/shared.ts';

const AGENTS = 180;
const arena = sharedArena(AGENTS);

async function playRound(agents: readonly number[], hour = 0): Promise<void> {
  const predictions = agents.map((agentId) => ({ agentId, confidence: 80 }));
  await insertDecided(arena, { hour, predictions }, { answer: 'YES' });
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

test('boards have the first 100 agents by points, wins and id, with shared ranks', async () => {
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
    expect(await factDifferences(arena.query, BOARD_FACTS)).toEqual([]);
    const shown = await arena.query('select from board_places where position <= 100');
    expect(shown.length).toBeGreaterThan(count === 40 ? 80 : 300);
  }
});

test('more than 100 agents with equal points share the first rank, and the lowest ids are listed', async () => {
  await playRound(Array.from({ length: AGENTS }, (_, place) => place + 1));
  const weekly = await arena.query(
    `select agent_id, rank from board_places where period = 'weekly' and position <= 100 order by position`,
  );
  expect(weekly).toEqual(Array.from({ length: 100 }, (_, place) => ({ agent_id: place + 1, rank: 1 })));
});

test.each([
  ['daily', 24],
  ['weekly', 7 * 24],
  ['monthly', 30 * 24],
])('the %s board includes a round until another ends exactly %i hours later', async (period, hours) => {
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

test('a round decided late enters only the windows that still include it', async () => {
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
