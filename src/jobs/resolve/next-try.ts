import type { Round } from '../../entities/round.ts';
import type { HourVerdict } from '../../market/market.ts';
import { addHours, HOUR, MINUTE, SECOND } from '../../rules/hours.ts';

/** The tries to decide a round that is over. */
export type RoundTries = Pick<Round, 'endTime' | 'attempts' | 'tryingSince' | 'lastTriedAt'>;

/** The next step of a round: decide it by the verdict, end it without prices, or try again later. */
export type Step = { readonly kind: 'decide' } | { readonly kind: 'void' | 'wait'; readonly why: string };

/** Until this long after the hour, every source that is not down is waited for. */
const ALL_SOURCES_MS = 45 * SECOND;
/** A round waits this long for candles before it may be void. */
const VOID_AFTER_HOURS = 24;
/** The minimum of tries and time before a round with too few sources may be void. */
const ENOUGH_TRIES = 10;
const ENOUGH_TIME_MS = HOUR;

/** The pause between two tries: the shortest is for rounds that have just ended and for the first minute of tries. */
const SHORTEST_MS = 3 * SECOND;
const LONGEST_MS = 10 * MINUTE;
/** After such a pause the service was not running. */
const BREAK_MS = 2 * LONGEST_MS;

export function stepOf(round: RoundTries, verdict: Omit<HourVerdict, 'candles' | 'evidence'>, now: Date): Step {
  const { problem, late } = verdict;
  if (problem !== null) return { kind: mayBeVoid(round, verdict, now) ? 'void' : 'wait', why: whyOf(verdict) };
  if (late.length === 0 || now.getTime() >= allWaitedFor(round)) return { kind: 'decide' };
  return {
    kind: 'wait',
    why: `Not every source has all final candles yet; waiting for ${late.join(', ')}.`,
  };
}

/** The time of the next try after one at `now`, by the service's clock. */
export function nextTry(round: RoundTries, now: Date): Date {
  const at = now.getTime();
  const triedMs = at - tryingSince(round, now).getTime();
  const wholeSeconds = Math.floor(triedMs / 3 / SECOND) * SECOND;
  const delayMs = triedMs < MINUTE ? SHORTEST_MS : Math.min(wholeSeconds, LONGEST_MS);
  // Exactly when something else becomes possible, no later.
  const turns = [allWaitedFor(round), voidableFrom(round)].filter((turn) => turn > at);
  return new Date(Math.min(at + delayMs, ...turns));
}

/** The start of the series of tries without a break, the one at `now` included. */
export function tryingSince({ tryingSince: since, lastTriedAt }: RoundTries, now: Date): Date {
  const isSeries = since != null && lastTriedAt != null && now.getTime() - lastTriedAt.getTime() <= BREAK_MS;
  return isSeries ? since : now;
}

/** A round without any source's answer is never void; with too few answers it takes many tries. */
function mayBeVoid(
  round: RoundTries,
  { answered, needed }: Pick<HourVerdict, 'answered' | 'needed'>,
  now: Date,
): boolean {
  if (now.getTime() < voidableFrom(round) || answered === 0) return false;
  const triedMs = now.getTime() - tryingSince(round, now).getTime();
  return answered >= needed || (round.attempts + 1 >= ENOUGH_TRIES && triedMs >= ENOUGH_TIME_MS);
}

export function whyOf({ problem, answered, needed }: Pick<HourVerdict, 'problem' | 'answered' | 'needed'>): string {
  if (answered === 0) return 'No source of prices answered.';
  if (answered < needed) return `Only ${answered} source of prices answered, and ${needed} must agree.`;
  if (problem === 'sources_disagree') return 'The sources do not agree on the candles.';
  return needed === 1
    ? 'The source does not have all final candles.'
    : `Fewer than ${needed} sources have all final candles.`;
}

function allWaitedFor({ endTime }: RoundTries): number {
  return endTime.getTime() + ALL_SOURCES_MS;
}

function voidableFrom({ endTime }: RoundTries): number {
  return addHours(endTime, VOID_AFTER_HOURS).getTime();
}
