import { expect, test } from '@jest/globals';
import { graphql } from 'graphql';

import { NO_SUMS, type WindowFigures } from '../../src/reads/plan/standing.ts';
import { payoffTable, TABLE_ROWS } from '../../src/rules/payoff-table.ts';
import { pnlUsd } from '../../src/rules/scoring.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { seeded } from '../support/seeded.ts';

/** A scored prediction as its definitions take it. */
interface Scored {
  readonly choices: 2 | 4 | 8;
  readonly confidence: number;
  readonly correct: boolean;
  readonly points: number;
  /** Millionths. */
  readonly edge: number;
}

function record(n: number): readonly Scored[] {
  const random = seeded(n);
  return Array.from({ length: n }, () => ({
    choices: random.pick([2, 4, 8] as const),
    confidence: random.between(0, 100),
    correct: random.chance(0.5),
    points: random.between(-40, 130),
    edge: random.between(-900_000, 900_000),
  }));
}

/** What resolution adds up of it. */
function windowOf(scored: readonly Scored[]): WindowFigures {
  const sum = (figure: (one: Scored) => number): number => scored.reduce((total, one) => total + figure(one), 0);
  const kind = ({ choices, confidence, correct }: Scored) =>
    payoffTable(choices)[confidence + (correct ? TABLE_ROWS / 2 : 0)];
  return {
    points: sum(({ points }) => points),
    arenaPoints: 0,
    wins: sum(({ correct }) => Number(correct)),
    competitions: scored.length,
    pnlUsd: sum(pnlOf).toFixed(2),
    brierSum: sum(brierOf).toFixed(4),
    referenceBrierSum: sum(referenceOf).toFixed(6),
    extendedSums: {
      ...NO_SUMS,
      pointsSquares: sum(({ points }) => points ** 2),
      skillSquares: sum((one) => kind(one)?.skillSquare ?? NaN),
      edge: sum(({ edge }) => edge),
      edgeSquares: sum(({ edge }) => edge ** 2),
      contribution: 1_500_000_000,
      peer: -2_250_000,
      arenaEdges: scored.length,
      arenaEdge: sum(({ edge }) => edge / 2),
      arenaEdgeSquares: sum(({ edge }) => (edge / 2) ** 2),
      choices4: sum(({ choices }) => Number(choices === 4)),
      choices8: sum(({ choices }) => Number(choices === 8)),
      chancePnl: sum((one) => kind(one)?.chancePnl ?? NaN),
      chanceVariance: sum((one) => kind(one)?.chanceVariance ?? NaN),
    },
  };
}

const pnlOf = ({ confidence, choices, correct }: Scored): number => Number(pnlUsd(confidence, choices, correct));
const brierOf = ({ confidence, correct }: Scored): number => (confidence / 100 - Number(correct)) ** 2;
const referenceOf = ({ choices, correct }: Scored): number => (1 / choices - Number(correct)) ** 2;

async function shown(scored: readonly Scored[]) {
  const source = `{ agent(id: 1) { standing(period: weekly) {
    skillInterval { low high } pointsPerRound { mean low high n } hitRateInterval { low high }
    edge { mean low high n } arenaEdge { mean n } luck { wins pnl } contribution peerScore } } }`;
  const standing = windowOf(scored);
  const schema = makeSchema();
  const agent = schema.getQueryType()?.getFields()['agent'];
  if (agent === undefined) throw new Error('Query has no field agent');
  agent.resolve = () => ({ id: 1, standing });
  const { data, errors } = await graphql({ schema, source, contextValue: {} });
  expect(errors).toBeUndefined();
  const read: { agent: { standing: Shown } } = JSON.parse(JSON.stringify(data));
  return read.agent.standing;
}

interface Shown {
  readonly skillInterval: { low: number; high: number } | null;
  readonly pointsPerRound: { mean: number; low: number | null; high: number | null; n: number } | null;
  readonly hitRateInterval: { low: number; high: number } | null;
  readonly edge: { mean: number; low: number | null; high: number | null; n: number } | null;
  readonly arenaEdge: { mean: number; n: number } | null;
  readonly luck: { wins: number; pnl: number } | null;
  readonly contribution: number;
  readonly peerScore: number;
}

/** Mean and 1.96 standard errors, rounds taken one by one; t is 2.0017 at 57 degrees of freedom. */
function intervalOf(values: readonly number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  const reach = 2.002465 * Math.sqrt(variance / values.length);
  return { mean, low: mean - reach, high: mean + reach };
}

test('intervals equal those of single rounds', async () => {
  const scored = record(58);
  const { edge, arenaEdge, pointsPerRound, skillInterval } = await shown(scored);
  const edges = intervalOf(scored.map((one) => one.edge / 1e6));
  expect(arenaEdge).toEqual({ mean: expect.closeTo(edges.mean / 2, 10), n: scored.length });
  expect(edge).toEqual({
    mean: expect.closeTo(edges.mean, 10),
    low: expect.closeTo(edges.low, 5),
    high: expect.closeTo(edges.high, 5),
    n: 58,
  });
  const points = intervalOf(scored.map((one) => one.points));
  expect(pointsPerRound).toMatchObject({ mean: expect.closeTo(points.mean, 10), low: expect.closeTo(points.low, 3) });
  const reference = scored.reduce((sum, one) => sum + referenceOf(one), 0) / 58;
  const skill = intervalOf(scored.map((one) => referenceOf(one) - brierOf(one)));
  expect(skillInterval?.low).toBeCloseTo(skill.low / reference, 4);
  expect(skillInterval?.high).toBeCloseTo(skill.high / reference, 4);
});

test('luck is the share of chance outcomes below the result, and half of equal ones', async () => {
  const scored = record(9);
  let [less, same] = [0, 0];
  for (let ways = 0; ways < 2 ** 9; ways += 1) {
    const hits = scored.map((_, place) => ((ways >> place) & 1) === 1);
    const chance = scored.reduce(
      (all, { choices }, place) => all * (hits[place] === true ? 1 / choices : 1 - 1 / choices),
      1,
    );
    const wins = hits.filter(Boolean).length;
    const own = scored.filter(({ correct }) => correct).length;
    if (wins < own) less += chance;
    if (wins === own) same += chance;
  }
  const { luck, edge, skillInterval } = await shown(scored);
  expect(luck?.wins).toBeCloseTo(less + same / 2, 10);
  // Fewer than 20 rounds say nothing of how sure a mean is.
  expect({ low: edge?.low, skillInterval }).toEqual({ low: null, skillInterval: null });
});

test('the luck of the P&L follows its mean and variance under chance', async () => {
  const even = await shown(
    Array.from(
      { length: 30 },
      (_, place) => ({ choices: 2, confidence: 80, correct: place % 2 === 0, points: 0, edge: 0 }) as const,
    ),
  );
  // 15 x 28 - 15 x 52 is exactly what coins give.
  expect(even.luck?.pnl).toBeCloseTo(0.5, 12);
  const best = await shown(
    Array.from({ length: 30 }, () => ({ choices: 2, confidence: 80, correct: true, points: 0, edge: 0 }) as const),
  );
  expect(best.luck?.pnl).toBeGreaterThan(0.9999);
});

test('sums of crowd figures have their units, and an empty record has null means', async () => {
  expect(await shown(record(3))).toMatchObject({ contribution: 1.5, peerScore: -2.25 });
  expect(await shown([])).toMatchObject({ edge: null, pointsPerRound: null, hitRateInterval: null, luck: null });
});
