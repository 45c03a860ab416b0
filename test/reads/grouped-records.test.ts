import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { calibrationsOf } from '../../src/reads/calibration.ts';
import { chartPoint, CHARTS, historiesOf, type HistorySums } from '../../src/reads/histories.ts';
import { brierTerm } from '../../src/rules/brier.ts';
import { calibrationOf } from '../../src/rules/calibration.ts';
import { toDecimal } from '../../src/rules/fraction.ts';
import { rowsDuring } from '../resolvers/analysts/counted-statements.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { seeded } from '../support/seeded.ts';

/* A record of years is added up by PostgreSQL: the process gets as many rows as it shows. */

const AGENTS = [1, 2, 3];
/** Of the second agent there are fewer scores, and of the third there are none. */
const ROUNDS = 70;

interface Scored {
  readonly agent: number;
  readonly round: number;
  readonly confidence: number;
  readonly correct: boolean;
  readonly choiceCount: number;
  readonly cents: number;
  readonly points: number;
  readonly edge: number | null;
}

let arena: Arena;
let scores: readonly Scored[];

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS.length);
  scores = recorded();
  await arena.query(`
    insert into rounds (id, start_time, end_time, status, question_type, prediction_format, question, choices, subject,
      source, total_entries, outcome, resolution_value, decided_at)
    select n, start, start + interval '1 hour', 'resolved', (array['podium', 'direction'])[1 + n % 2], 'boolean', 'Is it so?',
      case n % 2 when 1 then '["YES","NO"]' else '["A","B","C","D"]' end::jsonb, 'BTC', 'simulated', 1, 'YES', 1, start + interval '61 minutes'
    from generate_series(1, ${ROUNDS}) n, lateral (select '2020-01-01T00:00:00Z'::timestamptz + n * interval '1 hour' as start) t`);
  await arena.query(
    `update platform set newest_resolved_end = (select max(end_time) from rounds where status = 'resolved')`,
  );
  await arena.query('alter table scores disable trigger all');
  for (const { agent, round, confidence, correct, cents, points, edge } of scores)
    await arena.query(`
      insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier, reference_brier, confidence, edge_millionths)
      values (${round}, ${agent}, ${correct}, ${points - 2}, 2, ${agent}, 0, ${cents / 100}, ${toDecimal(brierTerm(confidence, correct))}, 0.25, ${confidence}, ${edge})`);
});

afterAll(() => arena.close());

/** Each score differs from the others. */
function recorded(): readonly Scored[] {
  const random = seeded(7);
  return [1, 2].flatMap((agent) =>
    Array.from({ length: ROUNDS }, (_, place) => ({
      agent,
      round: place + 1,
      confidence: random.between(0, 100),
      correct: random.chance(0.5),
      choiceCount: place % 2 === 0 ? 2 : 4,
      cents: random.between(-10_000, 10_000),
      points: random.between(-60, 60),
      edge: random.chance(0.2) ? null : random.between(-1_000_000, 1_000_000),
    })).filter(({ round }) => agent === 1 || round % 3 === 0),
  );
}

function of(agent: number): readonly Scored[] {
  return scores.filter((one) => one.agent === agent);
}

/** Groups of equal size, counted from the newest, one by one. */
function grouped(own: readonly Scored[], max: number, figures: (one: Scored) => readonly number[]): HistorySums[] {
  const size = Math.ceil(own.length / max);
  const ends = own.flatMap((_, place) => ((own.length - 1 - place) % size === 0 ? [place + 1] : []));
  const sumOf = (some: readonly Scored[]): readonly number[] =>
    some.map(figures).reduce((sum, one) => one.map((figure, at) => figure + (sum[at] ?? 0)), []);
  return ends.map((end, place) => {
    const group = own.slice(ends[place - 1] ?? 0, end);
    const [roundId, sums] = [group.at(-1)?.round ?? 0, sumOf(group)];
    return { roundId, rounds: group.length, sums, cumulative: sumOf(own.slice(0, end)) };
  });
}

const SIZES = Array.from({ length: ROUNDS + 2 }, (_, place) => place + 1);

test('a history reads as many rows as points are shown, for any length of record', async () => {
  for (const max of SIZES) {
    const chart = { window: 'alltime', max, figures: CHARTS.pnl.figures } as const;
    let histories: readonly (readonly HistorySums[])[] = [];
    const [read] = await rowsDuring(async () => (histories = await historiesOf(arena.newEm(), chart, AGENTS)));
    expect(histories).toEqual(AGENTS.map((agent) => grouped(of(agent), max, ({ cents, points }) => [cents, points])));
    expect(read).toBe(histories.flat().length);
    expect(read).toBeLessThanOrEqual(2 * max);
  }
});

test('a history of the edge skips predictions without one', async () => {
  for (const max of [1, 7, 1000]) {
    const chart = { window: 'alltime', max, figures: CHARTS.edge.figures } as const;
    const found = await historiesOf(arena.newEm(), chart, AGENTS);
    const histories = found.map((points) => points.map((point) => chartPoint(point, 'edge')));
    const known = AGENTS.map((agent) => of(agent).filter(({ edge }) => edge !== null));
    const expected = known.map((own) => grouped(own, max, ({ edge }) => [edge ?? 0]));
    expect(histories).toEqual(
      expected.map((points) =>
        points.map(({ sums: [sum = 0], cumulative: [all = 0], ...point }) => ({
          ...point,
          value: sum / 1_000_000,
          cumulative: all / 1_000_000,
        })),
      ),
    );
  }
});

test('a point is in USD to the cent', async () => {
  const [points = []] = await historiesOf(
    arena.newEm(),
    { window: 'daily', max: 24, figures: CHARTS.pnl.figures },
    [1],
  );
  const day = of(1).slice(-24);
  const shown = points.map((point) => chartPoint(point, 'pnl'));
  expect(shown.map(({ value }) => value)).toEqual(day.map(({ cents }) => cents / 100));
  expect(shown.at(-1)?.cumulative).toBe(day.reduce((sum, { cents }) => sum + cents, 0) / 100);
});

const WHOLE = { window: 'alltime', questionType: null, asset: null } as const;
const PART = { ...WHOLE, questionType: ['podium'] } as const;

/** Ways in which the planner may add up: the last digits of sums of floats depend on the order. */
const WAYS = [[], ['hashagg'], ['sort'], ['hashagg', 'indexonlyscan', 'indexscan'], ['hashjoin', 'mergejoin']] as const;

async function calibratedBy(way: readonly string[], part: typeof WHOLE | typeof PART) {
  return arena.newEm().transactional(async (em: SqlEntityManager) => {
    for (const off of way) await sql`set local ${sql.ref(`enable_${off}`)} = off`.execute(em.getKysely());
    return calibrationsOf(em, part, AGENTS);
  });
}

describe.each(WAYS.map((way) => ({ way, name: way.join(' and ') || 'nothing' })))('without $name', ({ way }) => {
  test('the calibration of part of a record equals that of its predictions, to the last digit', async () => {
    const expected = AGENTS.map((agent) =>
      calibrationOf(
        of(agent)
          .filter(({ round }) => round % 2 === 0)
          .map((one) => ({ ...one, n: 1 })),
      ),
    );
    expect(await calibratedBy(way, PART)).toEqual(expected);
  });

  test('the calibration of a whole window equals its predictions, beside the reference of the standing', async () => {
    const expected = AGENTS.map((agent) => calibrationOf(of(agent).map((one) => ({ ...one, n: 1 }))));
    const found = await calibratedBy(way, WHOLE);
    const withoutReference = (all: typeof found) => all.map((one) => ({ ...one, referenceBrier: null, skill: null }));
    expect(withoutReference(found)).toEqual(withoutReference(expected));
  });
});

test('a calibration reads a row for each filled bin, and one for all', async () => {
  const bins = new Set(scores.map(({ agent, confidence }) => `${agent} ${Math.min(9, Math.floor(confidence / 10))}`));
  const [read] = await rowsDuring(() => calibrationsOf(arena.newEm(), WHOLE, AGENTS));
  expect(read).toBe(bins.size + 2);
});
