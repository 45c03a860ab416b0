import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type Expression, expressionBuilder, sql, type SqlBool } from 'kysely';

import type { Round } from '../../entities/round.ts';
import type { DB } from '../../entities/tables.ts';
import { addHours, HOUR } from '../../rules/hours.ts';
import { anyOf, interval } from '../../reads/fragments.ts';
import { inWindow, type Period, PERIODS, WINDOW_LENGTHS, windowStart } from '../../rules/windows.ts';

/** A round whose scores are added up. */
export interface ScoredRound {
  readonly id: number;
  /** The number of answers of its question. */
  readonly choiceCount: number;
  /** True if amendments have corrected its scores; otherwise the original scores are read. */
  readonly isCorrected?: boolean;
}

/** Rounds that enter windows (1), or leave them (-1). */
export interface Move {
  readonly rounds: readonly ScoredRound[];
  readonly windows: readonly Period[];
  readonly sign: 1 | -1;
}

/** A statement with a round as `r` and the platform's row as `p`. */
const eb = expressionBuilder<DB & { r: DB['rounds']; p: DB['platform'] }, 'r' | 'p'>();

const IS_CORRECTED = eb.exists(eb.selectFrom('corrected_scores').whereRef('round_id', '=', 'r.id'));

/** The columns of `ScoredRound`, of a round `r`. */
export const SCORED_COLUMNS = [
  eb.ref('r.id').as('id'),
  eb.fn<number>('jsonb_array_length', ['r.choices']).as('choiceCount'),
  IS_CORRECTED.$castTo<boolean>().as('isCorrected'),
];

/** The same in a statement's text. */
export const SCORED_ROUND = sql.join(SCORED_COLUMNS);

/** A query for resolved rounds `r`, beside the platform's row `p`. */
export function resolvedRounds(em: SqlEntityManager) {
  const tables = em.getKysely<DB>().selectFrom(['rounds as r', 'platform as p']);
  return tables.where('r.status', '=', 'resolved').select(SCORED_COLUMNS);
}

/**
 * The moves of a resolution: first the round's own, then those of rounds that its end pushes out of a window.
 * `newestBefore` is the newest resolved end before it.
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

/** Resolved rounds that ended after `after` and not after `until`: only starts are indexed, and rounds last one hour. */
function roundsEnding(transaction: SqlEntityManager, after: Date, until: Date) {
  const started = resolvedRounds(transaction).where('r.start_time', '>', addHours(after, -1));
  return started.where('r.start_time', '<=', addHours(until, -1)).select('r.total_entries as entries').execute();
}

/** A resolved round, and the windows as bits in the order of `PERIODS`. */
export interface PlacedRound extends ScoredRound {
  /** The windows that it lies in. */
  readonly windows: number;
  /** The windows in which `WINDOWED_FOLLOW_UP` counts it. */
  readonly followUpWindows: number;
  /** All time if the tallies of its day count it. */
  readonly tallied: number;
}

/** The resolved rounds that lie in any window shorter than all time, and those in `also`; by id. */
export async function placedRounds(
  transaction: SqlEntityManager,
  also: Iterable<number> | 'all',
): Promise<ReadonlyMap<number, PlacedRound>> {
  const isTallied = eb.cast<number>(eb('r.counted_at', 'is not', null), 'integer');
  const rounds = resolvedRounds(transaction).select([
    windowBits().as('windows'),
    'r.kind_windows as followUpWindows',
    eb(isTallied, '*', eb.lit(ALL_TIME)).as('tallied'),
  ]);
  const placed =
    also === 'all' ? rounds : rounds.where(isInWindow('monthly')).union(rounds.where('r.id', '=', anyOf([...also])));
  return new Map((await placed.orderBy('id').execute()).map((round) => [round.id, round]));
}

/** The bits of all time alone. */
export const ALL_TIME = 1 << (PERIODS.length - 1);

/** The moves of rounds from some windows into others, both as bits. */
export function movesBetween(
  rounds: readonly { readonly round: ScoredRound; readonly before: number; readonly after: number }[],
): readonly Move[] {
  const moving = rounds.flatMap(({ round, before, after }) => [
    { round, signedBits: -(before & ~after) },
    { round, signedBits: after & ~before },
  ]);
  const alike = Map.groupBy(moving, ({ signedBits }) => signedBits);
  alike.delete(0);
  return [...alike].map(([signedBits, all]) => ({
    rounds: all.map(({ round }) => round),
    windows: PERIODS.filter((_, place) => ((Math.abs(signedBits) >> place) & 1) === 1),
    sign: signedBits > 0 ? 1 : -1,
  }));
}

/** The windows that contain a resolved round `r`, as bits. They end with the newest round of the platform `p`. */
export function windowBits() {
  const bits = PERIODS.map((period, place) =>
    eb(eb.lit(1 << place), '*', eb.cast<number>(isInWindow(period), 'integer')),
  );
  return bits.reduce((sum, bit) => eb(sum, '+', bit));
}

/**
 * True if a resolved round `r` lies in the window that ends at `newestEnd`, by default with the newest resolved round. It
 * compares starts, which have an index: rounds last one hour.
 */
export function isInWindow(
  period: Period,
  newestEnd: Expression<Date | null> = eb.ref('p.newest_resolved_end'),
): Expression<SqlBool> {
  const length = WINDOW_LENGTHS[period];
  return length === null ? eb.lit(true) : eb.parens('r.start_time', '>', eb(newestEnd, '-', interval(length + HOUR)));
}
