import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { fraction, roundHalfAway } from '../rules/fraction.ts';
import { MINUTE } from '../rules/hours.ts';
import { rows } from './sql.ts';
import type { Round } from '../entities/round.ts';

/** One answer's part of a round's predictions. */
export interface CrowdCount {
  readonly roundId: number;
  readonly answer: string;
  readonly n: number;
  /** Of their confidences, in percent. */
  readonly confidenceSum: number;
}

/** What all agents together answered so far, answers in the order of the round's choices. */
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

/** Percent, two decimals, under both of its names: the first one did not name its unit. */
function meanConfidence(counts: readonly CrowdCount[], n: number) {
  const sum = counts.reduce((total, { confidenceSum }) => total + confidenceSum, 0);
  const mean = n === 0 ? null : Number(roundHalfAway(fraction(sum, n), 2));
  return { meanConfidencePct: mean, meanConfidence: mean };
}

/** Counts by answer of decided rounds, which have tallies. */
export async function decidedCounts(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly CrowdCount[]> {
  return rows<CrowdCount>(em)`
    select round_id as "roundId", prediction as answer, sum(n)::int as n, sum(n * confidence)::float8 as "confidenceSum"
    from round_tallies where round_id = any(${[...rounds]})
    group by round_id, prediction`;
}

/** The minute of its round's hour in which a prediction `p` of the round `r` was submitted. */
export const MINUTE_OF_PREDICTION: RawBuilder<number> = sql`
  floor(extract(epoch from p.submitted_at - r.start_time) / 60)::int`;

/** One answer's part of what a round was answered within one minute of its hour. */
export interface MinuteCount extends CrowdCount {
  /** From 0 to 59. */
  readonly minute: number;
}

/**
 * What the crowd had answered when a minute was over, for each in which somebody answered, the oldest first; answers in the
 * order of the round's choices.
 */
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

/** Whether the minutes of the round `r` are kept with their confidences. */
const IS_COUNTED = sql`(r.counted_at is not null
  and not exists (select from crowd_minutes u where u.round_id = r.id and u.confidence_sum is null))`;

/**
 * The counts of decided rounds: those that were kept, and from their predictions those of rounds that nobody has counted yet,
 * or counted when confidences were not kept.
 */
export async function decidedMinutes(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly MinuteCount[]> {
  return rows<MinuteCount>(em)`
    select m.round_id as "roundId", m.prediction as answer, m.minute, m.n, m.confidence_sum::float8 as "confidenceSum"
    from rounds r join crowd_minutes m on m.round_id = r.id
    where r.id = any(${[...rounds]}) and ${IS_COUNTED}
    union all
    select p.round_id, p.prediction, ${MINUTE_OF_PREDICTION}, count(*)::int, sum(p.confidence)::float8
    from predictions p join rounds r on r.id = p.round_id
    where p.round_id = any(${[...rounds]}) and not ${IS_COUNTED} and not p.standing
    group by 1, 2, 3`;
}
