import { expect, test } from '@jest/globals';
import jstat from 'jstat';
import { sql } from 'kysely';

import { afterResolution } from '../../../src/jobs/resolve/after-resolution.ts';
import { HOUR } from '../../../src/rules/hours.ts';
import { BOARD_ORDERS } from '../../../src/rules/board-orders.ts';
import { ask, dataOf } from '../../support/asking.ts';
import { rankIntervals } from '../../support/rank-intervals.ts';
import { scriptedMarket, withOutages } from '../../support/scripted-market.ts';
import { sharedField } from '../../support/shared.ts';
import { type BoardScore, COUNTED, VALUES } from './board-values.ts';

// In every eighth hour no price is known: what is answered then has no edge.
const prices = withOutages(scriptedMarket(), (hourStart) => hourStart.getUTCHours() % 8 === 3);
const field = sharedField({ agents: 6, seed: 4, prices }, (one) => one.play(30));

interface Row {
  readonly rank: number;
  readonly agent_id: number;
  readonly value: number;
  readonly interval: { low: number; high: number } | null;
  readonly rank_interval: { low: number; high: number } | null;
  readonly tied_with_above: boolean | null;
  readonly n: number;
}

async function board(query: string): Promise<readonly Row[]> {
  const { status, body } = await field.service.request('GET', `/api/leaderboard?${query}`);
  expect(status).toBe(200);
  const read: { rankings: Row[] } = JSON.parse(JSON.stringify(body));
  return read.rankings;
}

async function database<Found>(statement: string): Promise<readonly Found[]> {
  return (await sql.raw<Found>(statement).execute(field.service.newEm().getKysely())).rows;
}

/** A score as the table has it. */
interface Score extends BoardScore {
  readonly round: number;
  readonly agent: number;
}

const readScores = (): Promise<readonly Score[]> =>
  database(`select s.round_id as round, agent_id as agent, score + streak_bonus as points, pnl_usd::float8 as pnl,
    peer_millionths / 1e6::float8 as peer, contribution_billionths / 1e9::float8 as contribution,
    edge_millionths / 1e6::float8 as edge, arena_edge_millionths / 1e6::float8 as arena, brier::float8, reference_brier::float8 as reference
    from scores s join rounds r on r.id = s.round_id order by 1, 2`);

test.each(BOARD_ORDERS)('the board by %s follows from the scores of the window', async (order) => {
  const usual = ['EDGE', 'SKILL', 'ARENA'].includes(order) ? 20 : 0;
  const counts = COUNTED[order] ?? (() => true);
  for (const minRounds of [null, 0, 18, 20]) {
    const least = Math.max(minRounds ?? usual, order === 'SKILL' ? 20 : 0);
    const byAgent = [...Map.groupBy(await readScores(), ({ agent }) => agent)];
    const counted = byAgent.map(([agent, scores]) => [agent, scores.filter(counts)] as const);
    if (order === 'EDGE' || order === 'ARENA') expect(counted.flat()).not.toEqual(byAgent.flat());
    const expected = counted
      .filter(([, scores]) => scores.length >= Math.max(1, least))
      .map(([agent, scores]) => ({ agent, value: VALUES[order](scores), n: scores.length }))
      .toSorted((left, right) => right.value - left.value);
    const query = minRounds === null ? '' : `&min_rounds=${minRounds}`;
    const rows = await board(`period=alltime&order_by=${order.toLowerCase()}${query}`);
    expect(rows.map(({ rank, agent_id, value, n }) => ({ rank, agent: agent_id, value, n }))).toEqual(
      expected.map(({ agent, value, n }, place) => ({ rank: place + 1, agent, value: expect.closeTo(value, 8), n })),
    );
    expect(rows.length).toBeGreaterThan(1);
  }
});

test('rank intervals equal the bootstrap over rounds, seeded with the newest one', async () => {
  const scores = await readScores();
  const rounds = [...new Set(scores.map(({ round }) => round))].toSorted((left, right) => right - left);
  for (const order of ['POINTS', 'EDGE', 'ARENA'] as const) {
    const rows = await board(`period=alltime&order_by=${order.toLowerCase()}`);
    const agents = rows.map(({ agent_id }) => {
      const own = scores.filter(({ agent }) => agent === agent_id).toReversed();
      const edges = own.map(({ edge, arena }) => (order === 'EDGE' ? edge : arena));
      return {
        rounds: own.map(({ round }) => rounds.indexOf(round)),
        figures: order === 'POINTS' ? own.map(({ points }) => points) : edges.map((edge) => edge ?? 0),
        divisors: order === 'POINTS' ? null : edges.map((edge) => Number(edge !== null)),
      };
    });
    const expected = rankIntervals(agents, { seed: rounds[0] ?? 0, rounds: rounds.length, replicates: 1000 });
    expect(rows.map(({ rank_interval: ranks, tied_with_above: tied }) => ({ ...ranks, tied }))).toEqual(expected);
    expect(expected.some(({ low, high }) => low < high)).toBe(true);
  }
});

test('intervals of totals are those of the mean times the number of rounds', async () => {
  const scores = await readScores();
  for (const [order, of] of [
    ['points', ({ points }: Score) => points],
    ['pnl', ({ pnl }: Score) => pnl],
    ['peer', ({ peer }: Score) => peer],
  ] as const) {
    const rows = await board(`period=alltime&order_by=${order}`);
    for (const { agent_id, interval, n, value } of rows) {
      const own = scores.filter(({ agent }) => agent === agent_id).map(of);
      const variance = own.reduce((sum, one) => sum + (one - value / n) ** 2, 0) / (n - 1);
      const reach = (T975[n] ?? Number.NaN) * Math.sqrt(n * variance);
      expect(interval).toEqual(
        n < 20 ? null : { low: expect.closeTo(value - reach, 2), high: expect.closeTo(value + reach, 2) },
      );
    }
    expect(rows.some(({ interval }) => interval !== null)).toBe(true);
  }
});

/** Student's 97.5 % points by the number of figures, from a table. */
const T975: Readonly<Record<number, number>> = { 20: 2.093024, 21: 2.085963, 22: 2.079614, 23: 2.073873, 24: 2.068658 };

test('a board without order and minimum of rounds has only the fields of the specification', async () => {
  const [plain, extended] = [await board('period=alltime'), await board('period=alltime&min_rounds=0')];
  const extras = ['value', 'interval', 'rank_interval', 'tied_with_above', 'n', 'edge', 'luck'];
  expect(Object.keys(extended[0] ?? {}).slice(-extras.length)).toEqual(extras);
  expect(Object.keys(plain[0] ?? {}).filter((name) => extras.includes(name))).toEqual([]);
});

test('unknown orders and minimums of rounds are refused', async () => {
  for (const query of ['order_by=EDGE', 'order_by=luck', 'min_rounds=-1', 'min_rounds=many'])
    expect((await field.service.request('GET', `/api/leaderboard?${query}`)).status).toBe(400);
  expect((await ask(field.service, '{ leaderboard(minRounds: -1) { period } }')).data).toBeNull();
});

test('standings have the figures of the board by points, and stats the number of skilled agents', async () => {
  const rows = await board('period=weekly&min_rounds=0');
  const found = await dataOf(
    field.service,
    `{ leaderboard { rankings { rankInterval { low high } agent { id standing { rankInterval { low high } tiedWithAbove } } } }
       agents { nodes { id standing { rankInterval { low high } } } }
       stats { skilled { tested agents named } } }`,
  );
  const intervals = rows.map((row) => row.rank_interval);
  const ids = rows.map(({ agent_id }) => agent_id);
  const tested = await board('period=alltime&order_by=edge&min_rounds=20');
  expect(found).toMatchObject({
    leaderboard: {
      rankings: rows.map((row) => ({
        rankInterval: row.rank_interval,
        agent: { id: row.agent_id, standing: { rankInterval: row.rank_interval, tiedWithAbove: row.tied_with_above } },
      })),
    },
    agents: {
      nodes: field.agents.map((id) => ({ id, standing: { rankInterval: intervals[ids.indexOf(id)] ?? null } })),
    },
    stats: { skilled: { tested: tested.length, agents: 0, named: 0 } },
  });
  expect(tested.length).toBeGreaterThan(2);
});

test("the calibration test of an agent and of the field is Spiegelhalter's", async () => {
  const judged = await database<{ agent: number; c: number; o: number }>(
    'select agent_id as agent, confidence / 100.0::float8 as c, is_correct::int as o from scores',
  );
  const zOf = (all: typeof judged): number =>
    all.reduce((sum, { c, o }) => sum + (o - c) * (1 - 2 * c), 0) /
    Math.sqrt(all.reduce((sum, { c }) => sum + (1 - 2 * c) ** 2 * c * (1 - c), 0));
  const [agent = 0] = [...Map.groupBy(judged, (one) => one.agent)].flatMap(([id, own]) =>
    own.length < 20 ? [] : [id],
  );
  const found = await dataOf(
    field.service,
    `{ stats { calibration { test { z p } } }
    agent(id: ${agent}) { calibration { test { z p } } } }`,
  );
  const own = zOf(judged.filter((one) => one.agent === agent));
  expect(found).toEqual({
    stats: { calibration: { test: { z: expect.closeTo(zOf(judged), 9), p: expect.any(Number) } } },
    agent: {
      calibration: {
        test: { z: expect.closeTo(own, 9), p: expect.closeTo(2 * (1 - jstat.normal.cdf(Math.abs(own), 0, 1)), 6) },
      },
    },
  });
});

test('work left by an ended process is done once, and rankIntervalsAt has its age meanwhile', async () => {
  const state = (): Promise<readonly unknown[]> => database('select * from ordered_boards order by 1, 2, 3');
  const [before, points] = [await state(), await board('period=alltime&order_by=edge')];
  await database('update platform set ordered_rounds = ordered_rounds - 1');
  await database('update ordered_boards set resolved_rounds = resolved_rounds - 1');
  const text = `{ leaderboard { rankIntervalsAt rankings { rankInterval { low } agent { standing { rankInterval { low } } } } } }`;
  await database("update ordered_boards set updated_at = updated_at - interval '1 hour'");
  const { leaderboard } = await dataOf(field.service, text);
  const hourBefore = new Date(field.service.clock.now().getTime() - HOUR).toISOString();
  expect(leaderboard.rankIntervalsAt).toBe(hourBefore);
  expect(leaderboard.rankings).toEqual(
    field.agents.map(() => ({
      rankInterval: { low: expect.any(Number) },
      agent: { standing: { rankInterval: null } },
    })),
  );
  await database("update ordered_boards set updated_at = updated_at + interval '1 hour'");
  expect(await board('period=alltime&order_by=edge')).toEqual(points);
  await afterResolution({ ...field.service, isStopped: () => true }, field.service.clock.now());
  expect(await state()).not.toEqual(before);
  await Promise.all([1, 2].map(() => afterResolution(field.service, field.service.clock.now())));
  expect(await state()).toEqual(before);
});
