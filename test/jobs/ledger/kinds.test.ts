import { describe, expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { sql } from 'kysely';

import { DeadlineExceeded, withDeadline } from '../../../src/deadline.ts';
import { kindBoards } from '../../../src/jobs/boards/kind-boards.ts';
import { afterResolution } from '../../../src/jobs/resolve/after-resolution.ts';
import { makeSchema } from '../../../src/resolvers/schema.ts';
import { ASSETS } from '../../../src/rules/assets.ts';
import { BOARD_ORDERS, type BoardOrder } from '../../../src/rules/board-orders.ts';
import { QUESTION_TYPES } from '../../../src/rules/questions/question.ts';
import { type Period, PERIODS } from '../../../src/rules/windows.ts';
import { documentCost } from '../../graphql/document-cost.ts';
import { ask, dataOf } from '../../support/asking.ts';
import { scriptedMarket, withOutages } from '../../support/scripted-market.ts';
import { sharedField } from '../../support/shared.ts';
import { type BoardScore, COUNTED, VALUES } from '../boards/board-values.ts';

// In every eighth hour no price is known: what is answered then has no edge.
const prices = withOutages(scriptedMarket(), (hourStart) => hourStart.getUTCHours() % 8 === 3);
// Rounds leave every window after they were counted in it: the day's, then the week's and the month's.
const field = sharedField({ agents: 5, seed: 11, prices }, async (one) => {
  for (const hoursBetween of [0, 130, 580]) {
    await one.sleep(hoursBetween);
    await one.play(26);
  }
  await one.play(5);
});

async function database<Found>(statement: string): Promise<readonly Found[]> {
  return (await sql.raw<Found>(statement).execute(field.service.newEm().getKysely())).rows;
}

/** A score as the table has it. */
interface Score extends BoardScore {
  readonly agent: number;
  readonly type: string;
  readonly subject: string | null;
  readonly end: Date;
  readonly won: boolean;
}

const readScores = (): Promise<readonly Score[]> =>
  database(`select agent_id as agent, r.question_type as type, r.subject, r.end_time as "end", is_correct as won,
    score + streak_bonus as points, pnl_usd::float8 as pnl, coalesce(peer_millionths, 0) / 1e6::float8 as peer,
    coalesce(contribution_billionths, 0) / 1e9::float8 as contribution, edge_millionths / 1e6::float8 as edge,
    arena_edge_millionths / 1e6::float8 as arena,
    brier::float8, reference_brier::float8 as reference
    from scores s join rounds r on r.id = s.round_id`);

const HOURS: Readonly<Record<Period, number>> = { daily: 24, weekly: 168, monthly: 720, alltime: Infinity };

function within(scores: readonly Score[], period: Period): readonly Score[] {
  const newest = Math.max(...scores.map(({ end }) => end.getTime()));
  return scores.filter(({ end }) => newest - end.getTime() < HOURS[period] * 3_600_000);
}

const EDGE_LEAST: Readonly<Record<Period, number>> = { daily: 1, weekly: 6, monthly: 20, alltime: 20 };

function leastOf(order: BoardOrder, period: Period): number {
  if (order === 'SKILL') return 20;
  return order === 'EDGE' || order === 'ARENA' ? EDGE_LEAST[period] : 1;
}

/** The board by the scores alone: value and number of rounds of each agent, the highest value first. */
function boardByHand(scores: readonly Score[], order: BoardOrder, least: number) {
  return [...Map.groupBy(scores, ({ agent }) => agent)]
    .map(([agent, own]) => ({ agent, own, counted: own.filter(COUNTED[order] ?? (() => true)) }))
    .filter(({ counted }) => counted.length >= least)
    .map(({ agent, own, counted }) => ({
      agent,
      value: VALUES[order](counted),
      n: counted.length,
      wins: own.filter(({ won }) => won).length,
    }))
    .toSorted((one, other) => other.value - one.value || other.wins - one.wins || one.agent - other.agent)
    .map(({ agent, value, n, wins }) => ({ agent, value: expect.closeTo(value, 7), n, wins }));
}

interface Row {
  readonly rank: number;
  readonly agentId: number;
  readonly value: number;
  readonly n: number;
  readonly totalWins: number;
}

async function boards(argument: string, period: Period): Promise<Record<BoardOrder, readonly Row[]>> {
  const each = BOARD_ORDERS.map(
    (order) => `${order}: leaderboard(period: ${period}, orderBy: ${order}, ${argument}) {
      rankings { rank agentId value n totalWins } }`,
  );
  const data = await dataOf(field.service, `{ ${each.join('\n')} }`);
  return Object.assign({}, ...BOARD_ORDERS.map((order) => ({ [order]: data[order].rankings })));
}

async function expectBoards(argument: string, belongs: (score: Score) => boolean): Promise<number> {
  const scores = await readScores();
  let rows = 0;
  for (const period of PERIODS) {
    const shown = await boards(argument, period);
    for (const order of BOARD_ORDERS) {
      const expected = boardByHand(within(scores, period).filter(belongs), order, leastOf(order, period));
      expect(shown[order].map(({ agentId: agent, value, n, totalWins: wins }) => ({ agent, value, n, wins }))).toEqual(
        expected,
      );
      rows += expected.length;
    }
  }
  return rows;
}

describe('boards by kind', () => {
  test.each(QUESTION_TYPES)('boards of %s follow from their rounds’ scores in every window and order', async (type) => {
    expect(await expectBoards(`questionType: ${type}`, (score) => score.type === type)).toBeGreaterThan(0);
  });

  test.each(ASSETS)(
    'boards of questions about %s follow from their rounds’ scores in every window and order',
    async (asset) => {
      expect(await expectBoards(`asset: "${asset}"`, ({ subject }) => subject === asset)).toBeGreaterThan(0);
    },
  );
});

const KEPT = ['kind_sums', 'lead_tallies', 'model_sums', 'field_tallies', 'daily_tallies', 'standings'] as const;

async function kept(): Promise<readonly string[]> {
  const tables = KEPT.map((table) => database<{ row: string }>(`select t::text as row from ${table} t order by 1`));
  return (await Promise.all(tables)).flat().map(({ row }) => row);
}

const lines: object[] = [];
const log = { info: (fields: object) => void lines.push(fields), warn: () => {}, debug: () => {} };

async function countAgain(): Promise<void> {
  await afterResolution({ ...field.service, log }, field.service.clock.now());
}

const REBUILD = 'update platform set sums_due = true';

test('a recount changes nothing', async () => {
  const before = await kept();
  await countAgain();
  expect(await kept()).toEqual(before);
  expect(before.length).toBeGreaterThan(500);
});

test('a ledger rebuilt from nothing equals the stored one, also by two concurrent processes', async () => {
  // The history is short: what is stored of kinds goes up to the newest decision.
  await database('delete from kind_sums');
  await countAgain();
  const before = await kept();
  for (const at of [1, 2]) {
    await database(REBUILD);
    await Promise.all(Array.from({ length: at }, countAgain));
    expect(await kept()).toEqual(before);
  }
  const [{ rounds } = { rounds: 0 }] = await database<{ rounds: number }>(
    `select count(*)::int as rounds from rounds where status = 'resolved'`,
  );
  const each = [
    { table: 'field_tallies, daily_tallies', rounds },
    { table: 'standings', rounds },
  ];
  expect(lines).toEqual([...each, ...each]);
});

test('boards of a kind are computed once per decision for any number of requests', async () => {
  const { newEm } = field.service;
  const made: string[] = [];
  const make = kindBoards({ newEm, newLongEm: newEm, announce: () => void made.push('volatility') });
  const board = { kind: 'volatility', period: 'weekly' } as const;
  await database(`delete from kind_boards where kind = 'volatility'`);
  await Promise.all([make(board), make(board), make(board)]);
  await make(board);
  expect(made).toHaveLength(1);
  await database(`update platform set boards_updated_at = boards_updated_at + interval '1 second'`);
  await make(board);
  expect(made).toHaveLength(2);
  await database(`update platform set boards_updated_at = boards_updated_at - interval '1 second'`);
});

test('boards of a kind outlast the deadline of the request that began them', async () => {
  const { newEm } = field.service;
  const make = kindBoards({ newEm, newLongEm: newEm, announce: () => {} });
  const board = { kind: 'volatility', period: 'weekly' } as const;
  await database(`delete from kind_boards where kind = 'volatility'`);
  const { patient } = await newEm().transactional(async (holder) => {
    await holder.execute('lock table kind_boards in share mode');
    const hasty = withDeadline(200, () => make(board));
    const later = withDeadline(60_000, () => make(board));
    await expect(hasty).rejects.toThrow(DeadlineExceeded);
    return { patient: later };
  });
  await patient;
});

const BEST = `{ leaderboard(period: weekly, orderBy: EDGE, questionType: volatility, minRounds: 1) {
  minRounds updatedAt benchmarks { name rounds brier edge { mean low high n } }
  rankings { rank name n winRate edge { mean low high n } luck { wins pnl } } } }`;

test('one query returns the week’s best at volatility, with luck', async () => {
  const { leaderboard } = await dataOf(field.service, BEST);
  expect(leaderboard.rankings.length).toBeGreaterThan(1);
  const scores = within(await readScores(), 'weekly').filter(({ type }) => type === 'volatility');
  for (const { n, edge, luck } of leaderboard.rankings) {
    expect(n).toBeLessThanOrEqual(new Set(scores.map(({ end }) => end.getTime())).size);
    expect(edge).toMatchObject({ low: null, high: null, n });
    for (const figure of [luck.wins, luck.pnl]) {
      expect(figure).toBeGreaterThan(0);
      expect(figure).toBeLessThan(1);
    }
  }
});

test('the query for the best at volatility costs less than 2,000', () => {
  const used = documentCost(makeSchema())({ document: parse(BEST), variables: {} })?.used;
  expect(used).toBeGreaterThan(50);
  expect(used).toBeLessThan(2000);
});

test('REST returns the same board of a kind', async () => {
  const { status, body } = await field.service.request(
    'GET',
    '/api/leaderboard?period=alltime&question_type=volatility&order_by=edge&min_rounds=1',
  );
  expect([status, body.order_by, body.min_rounds]).toEqual([200, 'edge', 1]);
  const { leaderboard } = await dataOf(field.service, BEST.replace('weekly', 'alltime'));
  const shown = body.rankings.map(
    ({ rank, name, n, win_rate: winRate, edge, luck }: Row & Record<string, unknown>) => ({
      rank,
      name,
      n,
      winRate,
      edge,
      luck,
    }),
  );
  expect(shown).toEqual(leaderboard.rankings);
  expect(body.benchmarks).toHaveLength(4);
  const unknown = await field.service.request('GET', '/api/leaderboard?question_type=coin_toss&period=yearly');
  expect(unknown.status).toBe(400);
  expect(JSON.stringify(unknown.body)).toMatch(/question_type must be one of relative, .*breadth \(got/);
  expect(JSON.stringify(unknown.body)).toMatch(/period must be one of daily, weekly, monthly, alltime/);
  const asset = await field.service.request('GET', '/api/leaderboard?asset=XRP');
  expect([asset.status, asset.body.error]).toEqual([
    400,
    'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "XRP").',
  ]);
  const plain = await field.service.request('GET', '/api/leaderboard?asset=BTC');
  expect(Object.keys(plain.body)).toEqual([
    'period',
    'updated_at',
    'rankings',
    'order_by',
    'min_rounds',
    'benchmarks',
    'rank_intervals_at',
  ]);
});

async function refusal(args: string): Promise<string | undefined> {
  return (await ask(field.service, `{ leaderboard(${args}) { period } }`)).errors[0]?.message;
}

test('a board accepts one kind, and refuses others with the accepted ones', async () => {
  expect(await refusal('asset: "XRP"')).toBe(
    'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "XRP").',
  );
  const { body } = await field.service.request('GET', '/api/leaderboard?question_type=touch&asset=BTC');
  expect(body.error).toBe('A board can be filtered either by question_type or by asset (got touch and BTC).');
  expect(await refusal('questionType: touch, asset: "BTC"')).toBe(
    'A board can be filtered either by questionType or by asset (got touch and BTC).',
  );
});
