import { type Client, createClient, HourcastError, type Round } from '../../clients/js/src/index.ts';

export type CurrentRound = Pick<
  Round,
  'id' | 'question' | 'question_type' | 'choices' | 'params' | 'assets' | 'end_time'
>;

/** The service as house agents see it: by the client, like everybody. */
export interface Arena {
  /** Of all that is public; each request is made once, since the next look makes it again. */
  readonly client: Client;
  /** The same for whoever has this key. */
  readonly as: (key: string) => Client;
  /** Ends every request. */
  readonly signal: AbortSignal;
}

export function arenaAt(url: string, signal: AbortSignal): Arena {
  const as = (key: string): Client => createClient({ url, key, patienceMs: 0 });
  return { client: as(''), as, signal };
}

/** Whether a request was refused with one of these statuses. */
export function isRefused(error: unknown, statuses: readonly number[]): boolean {
  return error instanceof HourcastError && error.status !== null && statuses.includes(error.status);
}
