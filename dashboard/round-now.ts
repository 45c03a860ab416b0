import type { DecidedRoundFragment, EntryFragment, LiveRoundFragment, NowQuery } from './documents/now.ts';

export interface HourNow {
  readonly round: LiveRoundFragment | null;
  /** In the order of submission. */
  readonly entries: readonly EntryFragment[];
  /** The newest first. */
  readonly recent: readonly DecidedRoundFragment[];
}

/** The number of past rounds shown. */
const RECENT = 6;

/** A round that has not begun is ignored: the current hour stays. */
export function withRound(hour: HourNow, round: LiveRoundFragment): HourNow {
  const { round: shown } = hour;
  if (round.id === shown?.id) return { ...hour, round, entries: merged(hour.entries, round.predictions.nodes) };
  const isNext = round.status === 'active' && round.id > (shown?.id ?? 0);
  return isNext ? { ...hour, round, entries: merged([], round.predictions.nodes) } : hour;
}

/** Without a current round the shown one is over, unless it began after the answer. */
export function withCurrent(
  hour: HourNow,
  { currentRound, nextRound }: Pick<NowQuery, 'currentRound' | 'nextRound'>,
): HourNow {
  if (currentRound) return withRound(hour, currentRound);
  const hasBegunSince = hour.round?.status === 'active' && hour.round.id === nextRound?.id;
  return hasBegunSince ? hour : { ...hour, round: null, entries: [] };
}

export function withRecent(hour: HourNow, round: DecidedRoundFragment): HourNow {
  if (round.status === 'upcoming' || round.status === 'active') return hour;
  const others = hour.recent.filter(({ id }) => id !== round.id);
  return { ...hour, recent: [...others, round].toSorted((one, other) => other.id - one.id).slice(0, RECENT + 1) };
}

/** A round that is void before its hour is not over until that begins; then the one shown before is. */
export function begunAt(hour: HourNow, nowMs: number): HourNow {
  const begun = hour.recent.filter(({ status, startTime }) => status !== 'void' || Date.parse(startTime) <= nowMs);
  const [newest] = begun;
  const isPast = newest?.status === 'void' && newest.id > (hour.round?.id ?? Infinity);
  return { ...hour, round: isPast ? null : hour.round, recent: begun.slice(0, RECENT) };
}

export function withEntries(hour: HourNow, roundId: number, entries: readonly EntryFragment[]): HourNow {
  return hour.round?.id === roundId ? { ...hour, entries: merged(hour.entries, entries) } : hour;
}

/** Distinct entries in the order of submission. */
export function merged(known: readonly EntryFragment[], more: readonly EntryFragment[]): readonly EntryFragment[] {
  const ids = new Set(known.map(({ id }) => id));
  const news = more.filter(({ id }) => !ids.has(id));
  return news.length === 0 ? known : [...known, ...news].toSorted((one, other) => one.id - other.id);
}
