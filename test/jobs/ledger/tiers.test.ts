import { expect, test } from '@jest/globals';

import { fraction, multiply, parseDecimal, roundHalfAway } from '../../../src/rules/fraction.ts';
import { type Tier, TIER_NAMES, tierOf } from '../../../src/rules/tiers.ts';
import { insertDecided } from '../inserted-round.ts';
import { insertStandings, type StandingRow } from '../inserted-standings.ts';
import { type Seeded, seeded } from '../../support/seeded.ts';
import { sharedArena } from '../../support/shared.ts';

const AGENTS = 2_000;
const arena = sharedArena(AGENTS);

/**
 * What is in the database before a round in which everybody is right at even confidence: 70 points, one competition and
 * no edge are added, so that the thresholds lie where the test puts the sums.
 */
interface Sums {
  readonly points: number;
  readonly competitions: number;
  /** How many of the competitions have an edge; all of them unless given. */
  readonly edges?: number;
  /** In how many of them a standing row answered; none unless given. */
  readonly standing?: number;
  readonly edgeSum: string;
  readonly edgeSquareSum: string;
}

function rowOf(agentId: number, tier: string, after: Sums): StandingRow {
  return {
    agent_id: agentId,
    alltime_points: after.points - 70,
    alltime_competitions: after.competitions - 1,
    alltime_standing_n: after.standing ?? 0,
    alltime_without_edge: after.competitions - (after.edges ?? after.competitions),
    alltime_edge_sum: inUnits(after.edgeSum, 6),
    alltime_edge_square_sum: inUnits(after.edgeSquareSum, 12),
    tier,
  };
}

/** A decimal as a whole number of units, of which 10^digits make 1. */
function inUnits(decimal: string, digits: number): string {
  return roundHalfAway(multiply(parseDecimal(decimal), fraction(10n ** BigInt(digits))), 0);
}

async function playEvenRound(rows: readonly StandingRow[]): Promise<void> {
  await arena.reset();
  await insertStandings(arena, rows);
  const predictions = rows.map(({ agent_id: agentId }) => ({ agentId, confidence: 50 }));
  const references = new Map([[0, [0.5, 0.5]]]);
  await insertDecided(arena, { hour: 0, predictions }, { answer: 'YES', references });
}

/** Sums around a tier's thresholds; the edge lies close to two standard errors, or to 0, on either side. */
function randomSums(random: Seeded): Sums {
  const [points, competitions] = random.pick([
    [5_000, 50],
    [25_000, 240],
    [75_000, 720],
  ] as const);
  const after = {
    points: points + random.pick([-1, 0, 1, random.between(-5_000, 5_000)]),
    competitions: competitions + random.pick([-1, 0, 1, random.between(0, 400)]),
  };
  const edges = after.competitions - random.pick([0, 0, 1, random.between(0, 40)]);
  const squares = random.between(1_000, 200_000) / 1_000;
  const bound = 2 * Math.sqrt((edges * squares) / (edges + 3));
  const edge = random.pick([bound, bound, 0, -bound]) + random.pick([0, 1e-6, -1e-6, random.next() - 0.5]);
  return { ...after, edges, edgeSum: edge.toFixed(6), edgeSquareSum: squares.toFixed(12) };
}

/** 730 rounds of an edge of 0.29 and -0.25 in turn: the mean is 0.02, and two standard errors are 0.02 exactly. */
const AT_TWO_ERRORS = { points: 75_000, competitions: 730, edgeSum: '14.600000', edgeSquareSum: '53.509000000000' };
const JUST_ABOVE = { ...AT_TWO_ERRORS, edgeSum: '14.600001' };
const MORE_ROUNDS = { ...AT_TWO_ERRORS, competitions: 760, edges: 730 };
const FEWER_EDGES = { ...AT_TWO_ERRORS, edges: 700 };
const NO_EDGE = { points: 25_000, competitions: 240, edgeSum: '0', edgeSquareSum: '1' };
/** One lucky answer beside what was left to rows, and as many as are asked. */
const LEFT_TO_ROWS = { ...NO_EDGE, competitions: 1_000, standing: 761, edgeSum: '1' };
const ENOUGH = { ...LEFT_TO_ROWS, standing: 760 };

test('every standing near a threshold has the tier of the rules, and each change is an event', async () => {
  const random = seeded(7);
  // Those at a bound exactly, whatever they were before, and then any.
  const bounds: readonly Sums[] = [AT_TWO_ERRORS, MORE_ROUNDS, JUST_ABOVE, FEWER_EDGES, NO_EDGE, LEFT_TO_ROWS, ENOUGH];
  const exact = bounds.flatMap((one) => TIER_NAMES.map((tier) => ({ tier, sums: one })));
  const before = Array.from({ length: AGENTS }, (_, place) => ({
    agentId: place + 1,
    ...(exact[place] ?? { tier: random.pick(TIER_NAMES), sums: randomSums(random) }),
  }));
  await playEvenRound(before.map(({ agentId, tier, sums }) => rowOf(agentId, tier, sums)));

  const expected = before.map(({ sums }) =>
    tierOf({
      points: sums.points,
      competitions: sums.competitions,
      standing: sums.standing ?? 0,
      edges: sums.edges ?? sums.competitions,
      edgeSum: parseDecimal(sums.edgeSum),
      edgeSquareSum: parseDecimal(sums.edgeSquareSum),
    }),
  );
  const after = await arena.query<{ tier: Tier; points: number; competitions: number; edge: string; squares: string }>(
    `select tier, alltime_points as points, alltime_competitions as competitions, alltime_edge_sum::text as edge,
       alltime_edge_square_sum::text as squares from standings order by agent_id`,
  );
  expect(after).toEqual(
    before.map(({ sums }, place) => ({
      tier: expected[place],
      points: sums.points,
      competitions: sums.competitions,
      edge: inUnits(sums.edgeSum, 6),
      squares: inUnits(sums.edgeSquareSum, 12),
    })),
  );
  const byHand = ['gold', 'gold', 'diamond', 'diamond', 'silver', 'silver', 'gold'].flatMap((tier) =>
    TIER_NAMES.map(() => tier),
  );
  expect(expected.slice(0, byHand.length)).toEqual(byHand);
  for (const tier of TIER_NAMES) expect(expected.filter((one) => one === tier).length).toBeGreaterThan(50);

  const changes = await arena.query(`select payload from events where kind = 'TIER_CHANGED' order by seq`);
  expect(changes).toEqual(
    before.flatMap(({ agentId, tier: from }, place) => {
      const to = expected[place];
      return from === to ? [] : [{ payload: { agentId, agentName: `agent-${agentId}`, from, to } }];
    }),
  );
});
