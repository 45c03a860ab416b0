import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Round } from '../../entities/round.ts';
import { rows } from '../../reads/sql.ts';
import { HOUR, SECOND } from '../../rules/hours.ts';
import { inWindow, type Period, PERIODS, WINDOW_LENGTHS, windowStart } from '../../rules/windows.ts';

/** A round whose scores are added up. */
export interface ScoredRound {
  readonly id: number;
  /** The number of answers of its question. */
  readonly choiceCount: number;
  /** Whether amendments have corrected scores of it; the scores of others are read as they were written. */
  readonly isCorrected?: boolean;
}

/** Rounds that enter windows (1), or leave them (-1). */
export interface Move {
  readonly rounds: readonly ScoredRound[];
  readonly windows: readonly Period[];
  readonly sign: 1 | -1;
}

/** The columns of `ScoredRound` for a row `r` of `rounds`. */
export const SCORED_ROUND = sql`r.id, jsonb_array_length(r.choices) as "choiceCount",
  exists (select from corrected_scores where round_id = r.id) as "isCorrected"`;

/**
 * The moves of a resolution: the round's own first, then those that its end pushes out of each window, found by the index
 * on their starts. `newestBefore` is the newest resolved end before it.
 */
export async function movesOfResolution(
  transaction: SqlEntityManager,
  round: Round,
  newestBefore: Date | null,
): Promise<{ readonly moves: readonly Move[]; readonly scores: number }> {
  const newest = newestBefore !== null && newestBefore > round.endTime ? newestBefore : round.endTime;
  const own = { id: round.id, choiceCount: round.choices.length };
  const moves: Move[] = [
    { rounds: [own], windows: PERIODS.filter((period) => inWindow(period, newest, round.endTime)), sign: 1 },
  ];
  const entries = new Map([[round.id, round.totalEntries]]);
  for (const period of PERIODS) {
    const [after, until] = [newestBefore && windowStart(period, newestBefore), windowStart(period, newest)];
    if (after === null || until === null || after >= until) continue;
    const rounds = await roundsEnding(transaction, after, until);
    for (const one of rounds) entries.set(one.id, one.entries);
    if (rounds.length > 0) moves.push({ rounds, windows: [period], sign: -1 });
  }
  return { moves, scores: [...entries.values()].reduce((sum, one) => sum + one, 0) };
}

/** Resolved rounds that ended after `after` and not after `until`. Every round lasts one hour. */
async function roundsEnding(transaction: SqlEntityManager, after: Date, until: Date) {
  const hour = sql`make_interval(secs => ${HOUR / SECOND})`;
  return rows<ScoredRound & { readonly entries: number }>(transaction)`
    select ${SCORED_ROUND}, r.total_entries as entries from rounds r
    where status = 'resolved' and start_time > ${after}::timestamptz - ${hour} and start_time <= ${until}::timestamptz - ${hour}`;
}

/** A resolved round; windows are bits in the order of `PERIODS`. */
export interface PlacedRound extends ScoredRound {
  /** The windows that it lies in, and those in which what follows a resolution counts it. */
  readonly windows: number;
  readonly followed: number;
  /** Whether it is in the tallies of its day. */
  readonly isTallied: boolean;
}

/** The resolved rounds that lie in any window shorter than all time, and these; by id. */
export async function placedRounds(
  transaction: SqlEntityManager,
  also: Iterable<number> | 'all',
): Promise<ReadonlyMap<number, PlacedRound>> {
  const found = await rows<PlacedRound>(transaction)`
    select ${SCORED_ROUND}, ${windowBits()} as windows, kind_windows as followed, counted_at is not null as "isTallied"
    from rounds r cross join platform p
    where r.status = 'resolved' and (${also === 'all' ? sql`true` : sql`${windowed('monthly')} or r.id = any(${[...also]}::int[])`})
    order by r.id`;
  return new Map(found.map((round) => [round.id, round]));
}

/** The bits of all time alone. */
export const ALL_TIME = 1 << (PERIODS.length - 1);

/** The moves of rounds from some windows into others, both as bits. */
export function movesBetween(
  rounds: readonly { readonly round: ScoredRound; readonly before: number; readonly after: number }[],
): readonly Move[] {
  const moving = rounds.flatMap(({ round, before, after }) => [
    { round, bits: before & ~after, sign: -1 as const },
    { round, bits: after & ~before, sign: 1 as const },
  ]);
  const alike = Map.groupBy(
    moving.filter(({ bits }) => bits !== 0),
    ({ bits, sign }) => bits * sign,
  );
  return [...alike].map(([signed, all]) => ({
    rounds: all.map(({ round }) => round),
    windows: PERIODS.filter((_, place) => ((Math.abs(signed) >> place) & 1) === 1),
    sign: signed > 0 ? 1 : -1,
  }));
}

/** SQL of the bits of the windows that a resolved round `r` lies in, by the platform `p`. */
export function windowBits(): RawBuilder<unknown> {
  const bits = PERIODS.map((period, place) => sql`${sql.lit(1 << place)} * ${windowed(period)}::int`);
  return sql.join(bits, sql` + `);
}

/** SQL of whether a resolved round `r` lies in a window that ends with the newest resolved one. */
export function windowed(period: Period, newestEnd = sql`p.newest_resolved_end`): RawBuilder<unknown> {
  const length = WINDOW_LENGTHS[period];
  return length === null ? sql`true` : sql`(r.end_time > ${newestEnd} - make_interval(secs => ${length / SECOND}))`;
}

/** SQL of every window, made of its name, as a list. */
export function eachWindow(ofPeriod: (period: Period) => string): RawBuilder<unknown> {
  return sql.raw(PERIODS.map(ofPeriod).join(', '));
}
