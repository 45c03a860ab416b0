import { appendEvents, logBounds, type NewEvent } from '../../src/feed/event-log.ts';
import type { TestService } from './service.ts';

/** Selects all of an event's own fields. */
export const EVENTS = `subscription ($after: Int, $kinds: [EventKind!]) {
  events(after: $after, kinds: $kinds) { seq kind at roundId payload } }`;

export interface SeenEvent {
  readonly seq: number;
  readonly kind: string;
  readonly at: string;
  readonly roundId: number | null;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Seen extends Record<string, unknown> {
  readonly events: SeenEvent;
}

type Writing = Pick<TestService, 'newEm' | 'clock'>;

const KINDS = ['ROUND_STORED', 'ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'TIER_CHANGED'] as const;

/** Events of each kind in turn; each payload has its number. */
export function madeUpEvents(count: number, first = 0): readonly NewEvent[] {
  return Array.from({ length: count }, (_, place) => ({
    kind: KINDS[(first + place) % KINDS.length] ?? 'ROUND_STORED',
    roundId: null,
    payload: { number: first + place },
  }));
}

/** One transaction, as a job writes; nobody is notified. */
export async function write({ newEm, clock }: Writing, events: readonly NewEvent[]): Promise<void> {
  await newEm().transactional((transaction) => appendEvents(transaction, clock.now(), events));
}

/** Writes `count` events and notifies the feed. */
export async function publish(service: Writing & Pick<TestService, 'nudge'>, count: number, first = 0): Promise<void> {
  await write(service, madeUpEvents(count, first));
  service.nudge();
}

/** The newest event's seq. */
export async function endOfLog({ newEm }: Pick<TestService, 'newEm'>): Promise<number> {
  return (await logBounds(newEm())).lastSeq;
}

/** Inclusive. */
export function seqs(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from + 1 }, (_, place) => from + place);
}
