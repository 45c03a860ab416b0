import { expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { BOARD_ORDERS } from '../../../src/rules/board-orders.ts';
import { dataOf } from '../../support/asking.ts';
import { sharedField } from '../../support/shared.ts';

const field = sharedField({ agents: 7, seed: 9 }, async (one) => {
  await one.play(24 - one.service.clock.now().getUTCHours());
  await one.play(24);
  await one.play(9);
});

interface Score {
  readonly round: number;
  readonly agent: number;
  readonly points: number;
  /** Of the round's hour, in UTC. */
  readonly day: string;
}

interface Row {
  readonly rank: number;
  readonly agentId: number;
  readonly rankChange: number | null;
  readonly recentPoints: readonly number[];
}

async function database<Found>(statement: string): Promise<readonly Found[]> {
  return (await sql.raw<Found>(statement).execute(field.service.newEm().getKysely())).rows;
}

const readScores = (): Promise<readonly Score[]> =>
  database(`select s.round_id as round, agent_id as agent, score + streak_bonus as points,
    to_char(r.start_time at time zone 'UTC', 'YYYY-MM-DD') as day
    from scores s join rounds r on r.id = s.round_id order by 1`);

async function board(query: string): Promise<readonly Row[]> {
  const text = `{ leaderboard(${query}) { rankings { rank agentId rankChange recentPoints } } }`;
  return (await dataOf(field.service, text)).leaderboard.rankings;
}

/** The ranks by the points of these scores. */
function ranksBy(scores: readonly Score[]): ReadonlyMap<number, number> {
  const sums = [...Map.groupBy(scores, ({ agent }) => agent)].map(
    ([agent, own]) => [agent, own.reduce((sum, { points }) => sum + points, 0)] as const,
  );
  return new Map(sums.map(([agent, sum]) => [agent, 1 + sums.filter(([, other]) => other > sum).length]));
}

test('a board has each agent’s change of rank since the end of the previous day', async () => {
  const scores = await readScores();
  const last = scores.at(-1)?.day ?? '';
  const before = ranksBy(scores.filter(({ day }) => day < last));
  const rows = await board('period: alltime');
  expect(rows.map(({ rank, rankChange }) => ({ rank, rankChange }))).toEqual(
    rows.map(({ rank, agentId }) => ({ rank, rankChange: (before.get(agentId) ?? Number.NaN) - rank })),
  );
  expect(rows.some(({ rankChange }) => rankChange !== 0)).toBe(true);
});

test('boards in other orders have rank changes, but those with another minimum of rounds have none', async () => {
  for (const orderBy of ['PNL', 'EDGE', 'SKILL']) {
    const rows = await board(`period: alltime, orderBy: ${orderBy}`);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ rankChange }) => rankChange === null).length).toBeLessThan(rows.length);
    const others = await board(`period: alltime, orderBy: ${orderBy}, minRounds: 21`);
    expect(others.map(({ rankChange }) => rankChange)).toEqual(others.map(() => null));
  }
});

test('a row has its agent’s points in the last 30 rounds, 0 where it did not answer', async () => {
  const scores = await readScores();
  const newest = [...new Set(scores.map(({ round }) => round))].slice(-30);
  for (const { agentId, recentPoints } of await board('period: weekly')) {
    const pointsIn = (round: number): number =>
      scores.find((one) => one.round === round && one.agent === agentId)?.points ?? 0;
    expect(recentPoints).toEqual(newest.map(pointsIn));
  }
  expect(newest).toHaveLength(30);
});

test('stored trends of boards do not grow with time', async () => {
  const counts = await database(`select (select count(*)::int from recent_points) as agents,
    (select max(cardinality(points)) from recent_points) as rounds,
    (select count(*)::int from earlier_ranks) as boards`);
  expect(counts).toEqual([{ agents: field.agents.length, rounds: 30, boards: 4 * BOARD_ORDERS.length }]);
});
