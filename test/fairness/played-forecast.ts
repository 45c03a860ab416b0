import { edgeOf, forecastOf, referenceBrier } from '../../src/rules/edge.ts';
import { CHECKPOINTS, type Checkpoint, forecastAt } from '../../src/rules/forecast/forecast.ts';
import { NO_TOTALS, totalsAfter } from '../../src/rules/forecast/mixture.ts';
import { newPooling } from '../../src/rules/forecast/pooling.ts';
import { movedPrice, residualOf } from '../../src/rules/forecast/residuals.ts';
import { saidBy } from '../../src/rules/forecast/said.ts';
import { referenceAt } from '../../src/rules/reference/reference.ts';
import type { Sums } from '../../src/rules/statistics/means.ts';
import { inUnits, UNITS } from '../../src/rules/payoffs.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { type Hour, momentOf } from './recorded-hours.ts';
import type { Question } from '../../src/rules/questions/question.ts';

/** What a member of a field answers in a round, at a minute of its hour. */
export interface Member {
  readonly name: string;
  readonly minute: number;
  readonly pickIndex: number;
  /** Percent. */
  readonly confidence: number;
}

export interface FieldRound {
  readonly hour: Hour;
  readonly question: Question;
  readonly winner: number;
  readonly members: readonly Member[];
}

/** Brier scores of one round at a checkpoint. */
export interface Scored {
  readonly price: number;
  readonly forecast: number;
  /** Of what each member said until then, carried to the checkpoint; by name. */
  readonly carried: ReadonlyMap<string, number>;
}

/** What the price alone says at a minute of a round. */
export function priceAt({ hour, question }: Pick<FieldRound, 'hour' | 'question'>, minute: number): readonly number[] {
  return referenceAt(question, momentOf(hour, minute, question.params.subject), RULES_VERSION);
}

const NO_EDGES: Sums = { n: 0, sum: 0, squareSum: 0 };

/** Plays the rounds one after the other: each forecast is made of the records and the totals that the ones before have left. */
export function playForecast(rounds: readonly FieldRound[]): ReadonlyMap<Checkpoint, readonly Scored[]> {
  const totals = new Map(CHECKPOINTS.map((minute) => [minute, NO_TOTALS]));
  const records = new Map<string, Sums>();
  const scored = new Map(CHECKPOINTS.map((minute): [Checkpoint, Scored[]] => [minute, []]));
  for (const round of rounds) {
    const entered = round.members
      .toSorted((one, other) => one.minute - other.minute)
      .map((member) => ({
        ...member,
        point: 4 * member.minute,
        reference: priceAt(round, member.minute),
        edges: records.get(member.name) ?? NO_EDGES,
      }));
    for (const minute of CHECKPOINTS) {
      const price = priceAt(round, minute);
      const until = entered.filter((entry) => entry.minute < minute);
      const pooling = newPooling(price.length);
      for (const said of saidBy(until)) pooling.add(said, priceAt(round, said.point / 4));
      const forecast = forecastAt(price, pooling.means(), totals.get(minute) ?? NO_TOTALS);
      const carried = until.map(({ name, ...entry }) => {
        const residual = residualOf(forecastOf(entry, price.length), entry.reference);
        return [name, referenceBrier(movedPrice(price, residual, 1), round.winner)] as const;
      });
      scored.get(minute)?.push({
        price: referenceBrier(price, round.winner),
        forecast: referenceBrier(forecast.probabilities, round.winner),
        carried: new Map(carried),
      });
      totals.set(minute, totalsAfter(totals.get(minute) ?? NO_TOTALS, forecast.said, round.winner));
    }
    for (const entry of entered) records.set(entry.name, after(round, entry));
  }
  return scored;
}

interface Entry extends Member {
  readonly reference: readonly number[];
  readonly edges: Sums;
}

/** The edges of a member once the round is decided, in millionths. */
function after({ winner }: FieldRound, entry: Entry): Sums {
  const { n, sum, squareSum } = entry.edges;
  const edge = inUnits(edgeOf(entry.reference, entry, { winnerIndex: winner, version: RULES_VERSION }), UNITS.edge);
  return { n: n + 1, sum: sum + edge, squareSum: squareSum + edge * edge };
}
