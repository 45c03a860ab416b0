import { SECOND } from '../../rules/hours.ts';
import { semaphore, TurnMissed } from '../../in-flight.ts';
import { breaker, type Breaker, type RetrySettings, withRetry } from './request-policy.ts';
import type { ExchangeApi } from './exchanges/exchange.ts';
import { type Fetch, fetchReply } from './fetch-reply.ts';
import type { SourceState, SourceStatus } from '../market.ts';
import { type Origin, SourceFailure } from './source-failure.ts';
import { ASSETS } from '../../rules/assets.ts';

export interface SourceSettings extends RetrySettings {
  readonly url: string;
  readonly now: () => Date;
  readonly realNow: () => Date;
  readonly fetch?: Fetch | undefined;
  readonly timeoutMs?: number | undefined;
  /** Called with an error of the code that reads an answer; the source then counts as failed. */
  readonly report: (error: unknown) => void;
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Urgent requests have their own turns, so that older hours and quotes do not delay them. */
  readonly urgent?: boolean | undefined;
}

export interface Answer<T> {
  readonly value: T;
  readonly origin: Origin;
  readonly fetchedAt: Date;
}

export type ReadBody<T> = (body: unknown) => T;

export type Source = ReturnType<typeof openSource>;

export const TIMEOUT_MS = 5 * SECOND;

const MAX_IN_FLIGHT = 3;

export function openSource(exchange: ExchangeApi, settings: SourceSettings) {
  const { realNow, stopping, random, wait } = settings;
  const guard = breaker();
  const breakerState = (): 'open' | 'down' | null => {
    if (guard.isOpen(realNow())) return 'open';
    return guard.isDown(realNow()) ? 'down' : null;
  };
  const ledger = statusLedger(exchange.name, settings.now, breakerState);
  const urgentTurns = semaphore(MAX_IN_FLIGHT);
  const otherTurns = semaphore(MAX_IN_FLIGHT);
  return {
    exchange,
    isDown: () => guard.isDown(realNow()),
    wasLate: () => ledger.wasLate(),
    status: ledger.status,
    /** Retries a passing fault once, then throws `SourceFailure`. */
    ask<T>(path: string, read: ReadBody<T>, { signal, urgent = false }: AskOptions = {}): Promise<Answer<T>> {
      const inTurn = urgent ? urgentTurns : otherTurns;
      const ending = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      const attempt = (): Promise<Answer<T>> =>
        guarded({ guard, ledger, realNow }, () => askOnce({ ...settings, signal }, path, read));
      return withRetry({ random, wait, stopping: ending }, () => inTurn(attempt, ending).catch(turnFailure));
    },
  };
}

function turnFailure(cause: unknown): never {
  if (!(cause instanceof TurnMissed)) throw cause;
  throw new SourceFailure('paused', 'The request was not sent in time, since earlier ones were still unanswered.', {
    cause,
  });
}

async function guarded<T>(
  {
    guard,
    ledger,
    realNow,
  }: Pick<SourceSettings, 'realNow'> & { readonly guard: Breaker; readonly ledger: ReturnType<typeof statusLedger> },
  attempt: () => Promise<T>,
): Promise<T> {
  if (!guard.admits(realNow()))
    throw new SourceFailure('paused', `Requests to it are paused. ${ledger.lastError() ?? ''}`.trim());
  try {
    const answer = await attempt();
    guard.succeeded();
    ledger.succeeded();
    return answer;
  } catch (error) {
    // One renamed symbol must not cost the other seven assets.
    if (!(error instanceof SourceFailure) || error.kind === 'refused') guard.succeeded();
    else if (error.kind === 'busy') guard.pause(realNow(), error.pauseMs);
    else guard.failed(realNow());
    ledger.failed(error);
    throw error;
  }
}

async function askOnce<T>(
  settings: SourceSettings & Pick<AskOptions, 'signal'>,
  path: string,
  read: ReadBody<T>,
): Promise<Answer<T>> {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS, stopping, signal, realNow } = settings;
  const { body, origin } = await fetchReply(settings.url + path, { fetch, timeoutMs, stopping, signal, realNow });
  try {
    return { value: read(body), origin, fetchedAt: settings.now() };
  } catch (cause) {
    if (cause instanceof SourceFailure)
      throw new SourceFailure(cause.kind, cause.message, { origin, pauseMs: cause.pauseMs, cause });
    // A fault in reading one source's answer must not stop the others.
    settings.report(cause);
    throw new SourceFailure('broken', 'Its answer could not be read.', { origin, cause });
  }
}

/** As many refusals as assets cannot be one renamed symbol. */
const REFUSALS_IN_A_ROW = ASSETS.length;

function statusLedger(
  source: string,
  now: () => Date,
  breakerState: () => Extract<SourceState, 'open' | 'down'> | null,
) {
  let state: SourceState = 'new';
  let refusals = 0;
  let lateTries = 0;
  let lastSuccessAt: Date | null = null;
  let lastErrorAt: Date | null = null;
  let lastError: string | null = null;
  return {
    succeeded(): void {
      state = 'up';
      refusals = 0;
      lastSuccessAt = now();
    },
    /** Single refusals do not count as down: one symbol may be unknown. Nor does a requested pause, which the breaker judges. */
    failed(error: unknown): void {
      const kind = error instanceof SourceFailure ? error.kind : null;
      refusals = kind === 'refused' ? refusals + 1 : 0;
      const isPassing = kind === 'busy' || (kind === 'refused' && refusals < REFUSALS_IN_A_ROW);
      if (!isPassing || state === 'new') state = 'down';
      lastErrorAt = now();
      lastError = error instanceof SourceFailure ? error.message : 'Its answer could not be read.';
    },
    wasLate(): void {
      lateTries++;
    },
    lastError: () => lastError,
    status: (): SourceStatus => ({
      source,
      state: breakerState() ?? state,
      lastSuccessAt,
      lastErrorAt,
      lastError,
      lateTries,
    }),
  };
}
