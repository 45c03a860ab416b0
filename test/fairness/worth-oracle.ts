import { type Candles, SYMBOLS } from '../oracle/candle-files.ts';
import { at, bodyOf, listOf, numberOf, textOf, type Body, type Json } from '../oracle/json.ts';
import { verdictOf } from '../oracle/questions.ts';
import type { RoundFacts } from '../oracle/round-facts.ts';
import { figuresByDefinition } from '../oracle/crowd.ts';
import { oracleReference } from './oracle-reference.ts';
import type { Instant, Shown } from './oracle-walks.ts';
import { signBefore, weekCovariance } from './week-before.ts';

/** What a prediction is worth by the definitions, and what the service says. */
export interface Worth {
  readonly agent: string;
  /** Null where no price was known when it was made. */
  readonly edge: number | null;
  readonly contribution: number;
  readonly peerScore: number;
}

export const FIELDS_OF_ROUND = `choices assets { symbol } referenceBasis { covariance signBefore } quotes { points prices highs lows }
  predictions(first: 20) { nodes { agentName prediction confidence leadSeconds edge contribution peerScore } }`;

/** The worth of a resolved round's predictions, from what is public of its prices and from the hours before alone. */
export function worthBy(facts: RoundFacts, round: Body, candles: Candles): readonly Worth[] {
  const verdict = verdictOf(facts, candles);
  if (verdict.status !== 'resolved') return [];
  const nodes = listOf(bodyOf(round, 'predictions'), 'nodes');
  const answers = nodes.map((node) => ({ pick: textOf(node, 'prediction'), confidence: numberOf(node, 'confidence') }));
  const figures = figuresByDefinition(facts.choices, answers, verdict.outcome);
  const covariance = weekCovariance(candles, facts.hour);
  return nodes.map((node, index) => {
    const point = Math.floor((3600 - numberOf(node, 'leadSeconds')) / 15);
    const { ownBrier, boundedBrier, contribution, peerScore } = at(figures, index);
    const worth = { agent: textOf(node, 'agentName'), contribution, peerScore };
    if (!list(bodyOf(round, 'quotes')['points']).includes(point)) return { ...worth, edge: null };
    const reference = oracleReference({
      facts,
      covariance,
      shown: shownAt(round, point),
      signBefore: signBefore(facts, candles),
      left: (240 - point) / 240,
    } satisfies Instant);
    const missed = reference.map((p, place) => (p - Number(at(facts.choices, place) === verdict.outcome)) ** 2);
    const own = reference.includes(1) ? ownBrier : boundedBrier;
    return { ...worth, edge: missed.reduce((sum, one) => sum + one, 0) - own };
  });
}

function shownAt(round: Body, point: number): ReadonlyMap<string, Shown> {
  const quotes = bodyOf(round, 'quotes');
  const points = list(quotes['points']);
  const [first, place] = [points.indexOf(0), points.indexOf(point)];
  const value = (key: string, row: number, asset: number): number => Number(list(list(quotes[key])[row])[asset]);
  return new Map(
    listOf(round, 'assets').map((asset, index) => [
      textOf(asset, 'symbol'),
      {
        open: value('prices', first, index),
        price: value('prices', place, index),
        high: value('highs', place, index),
        low: value('lows', place, index),
      },
    ]),
  );
}

function list(value: Json | undefined): Json[] {
  if (!Array.isArray(value)) throw new Error(`${JSON.stringify(value)} is not a list`);
  return value;
}

/** Where the service's covariance is another one than that of the hours before. */
export function covarianceFaults(facts: RoundFacts, round: Body, candles: Candles): readonly string[] {
  const shown = list(bodyOf(round, 'referenceBasis')['covariance']);
  const own = weekCovariance(candles, facts.hour);
  return SYMBOLS.flatMap((name, row) =>
    SYMBOLS.flatMap((other, column) => {
      const [one, wanted] = [Number(list(shown[row])[column]), at(at(own, row), column)];
      return Math.abs(one - wanted) <= 1e-9 * Math.abs(wanted) + 1e-18
        ? []
        : [`round ${facts.id}: the covariance of ${name} and ${other} is ${one}, by the oracle ${wanted}`];
    }),
  );
}

/** Where the service's figures are farther from the oracle's than rounding to their units. */
export function worthFaults(facts: RoundFacts, round: Body, worths: readonly Worth[]): readonly string[] {
  const nodes = listOf(bodyOf(round, 'predictions'), 'nodes');
  // An edge is the difference of two whole numbers of its unit.
  const reach = { edge: 1.01e-6, contribution: 0.51e-9, peerScore: 0.51e-6 } as const;
  return worths.flatMap((worth, index) =>
    (['edge', 'contribution', 'peerScore'] as const).flatMap((figure) => {
      const said = at(nodes, index)[figure];
      const wanted = worth[figure];
      const near =
        wanted === null ? said === null : typeof said === 'number' && Math.abs(said - wanted) <= reach[figure];
      return near
        ? []
        : [
            `round ${facts.id} (${facts.type}): ${figure} of ${worth.agent} is ${JSON.stringify(said)}, by the oracle ${wanted}`,
          ];
    }),
  );
}
