import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { MINUTE } from '../rules/hours.ts';
import { type AnswerCount, answersByMinute } from './crowd.ts';
import { rows } from './sql.ts';

/** How many of a round's predictions gave an answer within one minute of its hour. */
export interface MinuteCount extends AnswerCount {
  /** From 0 to 59. */
  readonly minute: number;
}

/** What a crowd had answered when a minute was over. */
export interface CrowdPoint {
  readonly at: Date;
  readonly n: number;
  readonly shares: readonly { readonly answer: string; readonly n: number; readonly share: number }[];
}

/** A point for each minute in which somebody answered, the oldest first; answers in the order of the round's choices. */
export function crowdPoints(
  counts: readonly MinuteCount[],
  { startTime, choices }: Pick<Round, 'startTime' | 'choices'>,
): readonly CrowdPoint[] {
  const given = new Map(choices.map((answer) => [answer, 0]));
  const byMinute = Map.groupBy(counts, ({ minute }) => minute);
  return [...byMinute]
    .toSorted(([one], [other]) => one - other)
    .map(([minute, added]) => {
      for (const { answer, n } of added) given.set(answer, (given.get(answer) ?? 0) + n);
      const n = [...given.values()].reduce((total, one) => total + one, 0);
      const shares = choices.map((answer) => {
        const times = given.get(answer) ?? 0;
        return { answer, n: times, share: times / n };
      });
      return { at: new Date(startTime.getTime() + (minute + 1) * MINUTE), n, shares };
    });
}

/**
 * The counts of decided rounds: those that were kept, and those of rounds that nobody has counted yet from their
 * predictions.
 */
export async function decidedMinutes(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly MinuteCount[]> {
  return rows<MinuteCount>(em)`
    select m.round_id as "roundId", m.prediction as answer, m.minute, m.n
    from rounds r join crowd_minutes m on m.round_id = r.id
    where r.id = any(${[...rounds]}) and r.counted_at is not null
    union all
    select c."roundId", c.answer, c.minute, c.n from (${answersByMinute(rounds, sql`r.counted_at is null`)}) c`;
}
