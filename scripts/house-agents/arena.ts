import { type Client, createClient, HourcastError, type Round } from '../../clients/js/src/index.ts';

export type CurrentRound = Pick<
  Round,
  'id' | 'question' | 'question_type' | 'choices' | 'params' | 'assets' | 'end_time'
>;

/** House agents use the public client. */
export interface Arena {
  /** Public reads, without retries, since the next poll repeats them. */
  readonly client: Client;
  /** The same with this key. */
  readonly as: (key: string) => Client;
  /** Ends every request. */
  readonly signal: AbortSignal;
}

export function arenaAt(url: string, signal: AbortSignal): Arena {
  const as = (key: string): Client => createClient({ url, key, patienceMs: 0 });
  return { client: as(''), as, signal };
}

/** The request was refused with one of these statuses. */
export function isRefused(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof HourcastError && error.status !== null && statuses.includes(error.status);
}
