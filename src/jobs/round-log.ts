import type { Round } from '../entities/round.ts';
import { SECOND } from '../rules/hours.ts';
import type { VoidReason } from '../rules/round-states.ts';

/** Where lines about rounds go; each is written after the commit that it reports. */
export interface RoundLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  debug(fields: object, message: string): void;
}

type Hour = Pick<Round, 'id' | 'startTime'>;

/** How a line names its round. */
export function named({ id, startTime }: Hour): { readonly roundId: number; readonly hour: string } {
  return { roundId: id, hour: startTime.toISOString() };
}

type Decided = { readonly entries: number; readonly decidedAt: Date } & (
  | { readonly outcome: string }
  /** `why`: the operator's sentence, or what the last try found. */
  | { readonly voidReason: VoidReason; readonly why: string | null }
);

export function logDecided(log: RoundLog, round: Hour & Pick<Round, 'endTime'>, decided: Decided): void {
  const { decidedAt, ...more } = decided;
  const secondsAfterHour = (decidedAt.getTime() - round.endTime.getTime()) / SECOND;
  const fields = { ...named(round), ...more, secondsAfterHour };
  if ('outcome' in decided) log.info(fields, 'Round resolved');
  else log.warn(fields, 'Round void');
}

/** Logs why a round waits: as a warning where the reason is new, since tries are seconds apart. */
export function logWaiting(
  log: RoundLog,
  round: Hour & Pick<Round, 'lastProblem'>,
  { why, ...more }: { readonly why: string; readonly attempts: number; readonly tryAfter: Date },
): void {
  log[round.lastProblem === why ? 'debug' : 'info']({ ...named(round), why, ...more }, 'Round waits');
}
