import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { fraction, roundHalfAway } from '../rules/fraction.ts';
import { MINUTE } from '../rules/hours.ts';
import { type AliasedTables, anyOf, wholeTimes } from './fragments.ts';

/** A round's predictions of one answer. */
interface CrowdCount {
  readonly roundId: number;
  readonly answer: string;
  readonly n: number;
  /** In percent. */
  readonly confidenceSum: number;
}

/** The answers of all agents so far, in the order of the round's choices. */
export function crowdFrom(counts: readonly CrowdCount[], choices: readonly string[]) {
  const n = counts.reduce((total, one) => total + one.n, 0);
  return {
    n,
    ...meanConfidence(counts, n),
    answers: choices.map((answer) => {
      const given = counts.filter((one) => one.answer === answer);
      const times = given.reduce((total, one) => total + one.n, 0);
      return { answer, n: times, share: n === 0 ? null : times / n, ...meanConfidence(given, times) };
    }),
  };
}

/** Percent, two decimals, under both of its names: the older does not name its unit. */
function meanConfidence(counts: readonly CrowdCount[], n: number) {
  const sum = counts.reduce((total, { confidenceSum }) => total + confidenceSum, 0);
  const mean = n === 0 ? null : Number(roundHalfAway(fraction(sum, n), 2));
  return { meanConfidencePct: mean, meanConfidence: mean };
}

/** Counts by answer of decided rounds, which have tallies. */
export async function decidedCounts(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly CrowdCount[]> {
  return em
    .getKysely<DB>()
    .selectFrom('round_tallies')
    .where('round_id', '=', anyOf(rounds))
    .groupBy(['round_id', 'prediction'])
    .select(['round_id as roundId', 'prediction as answer'])
    .select((of) => [
      of.fn.sum<number>('n').as('n'),
      of.fn.sum<number>(of('n', '*', of.ref('confidence'))).as('confidenceSum'),
    ])
    .execute();
}

const of = expressionBuilder<AliasedTables<{ p: 'predictions'; r: 'rounds' }>, 'p' | 'r'>();

/** The minute of the hour of its round `r` in which a prediction `p` was submitted, from 0. */
export const MINUTE_OF_PREDICTION = wholeTimes(of('p.submitted_at', '-', of.ref('r.start_time')), MINUTE);

/** A round's predictions of one answer within one minute of its hour. */
export interface MinuteCount extends CrowdCount {
  /** From 0 to 59. */
  readonly minute: number;
}

/** The crowd's answers at the end of each minute that has any, the oldest first; in the order of the round's choices. */
export function crowdPoints(
  counts: readonly MinuteCount[],
  { startTime, choices }: Pick<Round, 'startTime' | 'choices'>,
) {
  const given = new Map(choices.map((answer) => [answer, NOBODY]));
  const byMinute = Map.groupBy(counts, ({ minute }) => minute);
  return [...byMinute]
    .toSorted(([one], [other]) => one - other)
    .map(([minute, added]) => {
      for (const { answer, n, confidenceSum } of added) {
        const before = given.get(answer) ?? NOBODY;
        given.set(answer, { n: before.n + n, confidenceSum: before.confidenceSum + confidenceSum });
      }
      const n = [...given.values()].reduce((total, one) => total + one.n, 0);
      const shares = choices.map((answer) => {
        const so = given.get(answer) ?? NOBODY;
        return { answer, ...so, share: so.n / n };
      });
      return { at: new Date(startTime.getTime() + (minute + 1) * MINUTE), n, shares };
    });
}

const NOBODY = { n: 0, confidenceSum: 0 };

/** True if the minutes of the round `r` are stored with their confidences. */
const IS_COUNTED = of.and([
  of('r.counted_at', 'is not', null),
  of.not(
    of.exists(
      of.selectFrom('crowd_minutes as u').whereRef('u.round_id', '=', 'r.id').where('u.confidence_sum', 'is', null),
    ),
  ),
]);

/** The counts of decided rounds: the stored ones or, for rounds not yet counted or without confidences, those of predictions. */
export async function decidedMinutes(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly MinuteCount[]> {
  const tables = em.getKysely<DB>();
  const uncounted = tables
    .selectFrom('predictions as p')
    .innerJoin('rounds as r', 'r.id', 'p.round_id')
    .where('p.round_id', '=', anyOf(rounds))
    .where(of.not(IS_COUNTED))
    .where(of.not('p.standing'))
    .groupBy(['p.round_id', 'p.prediction', MINUTE_OF_PREDICTION])
    .select(['p.round_id as roundId', 'p.prediction as answer', MINUTE_OF_PREDICTION.as('minute')])
    .select(({ fn }) => [fn.countAll<number>().as('n'), fn.sum<number>('p.confidence').as('confidenceSum')]);
  return tables
    .selectFrom('rounds as r')
    .innerJoin('crowd_minutes as m', 'm.round_id', 'r.id')
    .where('r.id', '=', anyOf(rounds))
    .where(IS_COUNTED)
    .select(['m.round_id as roundId', 'm.prediction as answer', 'm.minute', 'm.n'])
    .select((m) => m.ref('m.confidence_sum').$notNull().as('confidenceSum'))
    .unionAll(uncounted)
    .execute();
}
