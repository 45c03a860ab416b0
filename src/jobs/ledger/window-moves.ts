import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import { HOUR, SECOND } from '../../rules/hours.ts';
import { isCorrected, type ScoredRound } from './sum-columns.ts';
import { inWindow, type Period, PERIODS, WINDOW_LENGTHS, windowStart } from '../../rules/windows.ts';
import { rows } from '../../reads/sql.ts';

/** Which rounds' scores enter and leave the windows now that a round is resolved. */
export interface WindowMoves {
  readonly round: ScoredRound;
  /** The windows that the round's own scores enter. */
  readonly entering: readonly Period[];
  /** The rounds that a newer end pushes out of each window. */
  readonly leaving: Readonly<Record<Period, readonly ScoredRound[]>>;
  /** Predictions of all these rounds together. */
  readonly scores: number;
}

/**
 * What moves when `round` is resolved; `newestBefore` is the newest resolved round's end before. Rounds that leave are
 * found by the index on their starts: as many are read as hours have passed, however long the history is.
 */
export async function windowMoves(
  transaction: SqlEntityManager,
  round: Round,
  newestBefore: Date | null,
): Promise<WindowMoves> {
  const newest = newestBefore !== null && newestBefore > round.endTime ? newestBefore : round.endTime;
  const leaving: Record<Period, readonly ScoredRound[]> = { daily: [], weekly: [], monthly: [], alltime: [] };
  const entries = new Map([[round.id, round.totalEntries]]);
  for (const period of PERIODS) {
    const after = newestBefore && windowStart(period, newestBefore);
    const until = windowStart(period, newest);
    if (after === null || until === null || after >= until) continue;
    const left = await roundsEnding(transaction, after, until);
    leaving[period] = left;
    for (const one of left) entries.set(one.id, one.entries);
  }
  return {
    round: { id: round.id, choiceCount: round.choices.length },
    entering: PERIODS.filter((period) => inWindow(period, newest, round.endTime)),
    leaving,
    scores: [...entries.values()].reduce((sum, one) => sum + one, 0),
  };
}

/** Resolved rounds that ended after `after` and not after `until`. Every round lasts one hour. */
async function roundsEnding(transaction: SqlEntityManager, after: Date, until: Date) {
  const hour = sql`make_interval(secs => ${HOUR / SECOND})`;
  return rows<ScoredRound & { readonly entries: number }>(transaction)`
    select id, total_entries as entries, jsonb_array_length(choices) as "choiceCount", ${isCorrected(sql`rounds.id`)} as "isCorrected"
    from rounds
    where status = 'resolved' and start_time > ${after}::timestamptz - ${hour} and start_time <= ${until}::timestamptz - ${hour}`;
}

/** Moves as a table of `round_id` and a sign for each window, named after it: 1 for entering, -1 for leaving. */
export function signsOf({ round, entering, leaving }: WindowMoves): RawBuilder<unknown> {
  const ids = new Set([round, ...PERIODS.flatMap((period) => leaving[period])].map(({ id }) => id));
  const row = (id: number): RawBuilder<unknown> => {
    const signs = PERIODS.map((period) => {
      const enters = id === round.id && entering.includes(period) ? 1 : 0;
      return enters - (leaving[period].some((left) => left.id === id) ? 1 : 0);
    });
    return sql`(${sql.join([id, ...signs].map((one) => sql`${one}::int`))})`;
  };
  return sql`select * from (values ${sql.join([...ids].map(row))}) as g(round_id, ${sql.raw(PERIODS.join(', '))})`;
}

/** SQL of whether a resolved round `r` lies in a window that reaches back from the newest one, by the platform `p`. */
export function windowed(period: Period, newestEnd = sql`p.newest_resolved_end`): RawBuilder<unknown> {
  const length = WINDOW_LENGTHS[period];
  return length === null ? sql`true` : sql`(r.end_time > ${newestEnd} - make_interval(secs => ${length / SECOND}))`;
}

/** SQL of every window, made of its name, as a list. */
export function eachWindow(ofPeriod: (period: Period) => string): RawBuilder<unknown> {
  return sql.raw(PERIODS.map(ofPeriod).join(', '));
}
