import { SECOND } from '../../rules/hours.ts';
import { semaphore, TurnMissed } from '../../in-flight.ts';
import { breaker, type RetrySettings, withRetry } from './request-policy.ts';
import type { ExchangeApi } from './exchanges/exchange.ts';
import { type Fetch, fetchReply } from './fetch-reply.ts';
import { NO_REQUESTS, type SourceStatus } from '../market.ts';
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

interface Answer<T> {
  readonly value: T;
  readonly origin: Origin;
  readonly fetchedAt: Date;
}

export type Source = ReturnType<typeof openSource>;

export const TIMEOUT_MS = 5 * SECOND;

const MAX_IN_FLIGHT = 3;

export function openSource(exchange: ExchangeApi, settings: SourceSettings) {
  const { stopping, random, wait } = settings;
  const { admit, succeeded, failed, ...health } = sourceHealth(exchange.name, settings);
  const urgentTurns = semaphore(MAX_IN_FLIGHT);
  const otherTurns = semaphore(MAX_IN_FLIGHT);
  return {
    exchange,
    ...health,
    /** Retries a passing fault once, then throws `SourceFailure`. */
    ask<T>(path: string, read: (body: unknown) => T, { signal, urgent = false }: AskOptions = {}): Promise<Answer<T>> {
      const inTurn = urgent ? urgentTurns : otherTurns;
      const ending = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      const attempt = async (): Promise<Answer<T>> => {
        admit();
        try {
          const answer = await askOnce({ ...settings, signal }, path, read);
          succeeded();
          return answer;
        } catch (error) {
          failed(error);
          throw error;
        }
      };
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

async function askOnce<T>(
  settings: SourceSettings & Pick<AskOptions, 'signal'>,
  path: string,
  read: (body: unknown) => T,
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
    throw new SourceFailure('broken', UNREADABLE.message, { origin, cause });
  }
}

/** An error of the code that asks or reads. */
const UNREADABLE = { kind: null, message: 'Its answer could not be read.', pauseMs: 0 };

/** As many refusals as assets cannot be one renamed symbol. */
const REFUSALS_IN_A_ROW = ASSETS.length;

/** The status of a source by its answers so far, and the breaker of its requests. */
function sourceHealth(source: string, { now, realNow }: Pick<SourceSettings, 'now' | 'realNow'>) {
  const guard = breaker();
  let refusals = 0;
  let status: SourceStatus = { source, state: 'new', ...NO_REQUESTS };
  const isDown = (): boolean => guard.isDown(realNow());
  return {
    /** Throws `SourceFailure` while requests are paused. */
    admit: (): void => {
      if (guard.admits(realNow())) return;
      throw new SourceFailure('paused', `Requests to it are paused. ${status.lastError ?? ''}`.trim());
    },
    succeeded: (): void => {
      guard.succeeded();
      refusals = 0;
      status = { ...status, state: 'up', lastSuccessAt: now() };
    },
    /** Single refusals do not count as down: one symbol may be unknown. Nor does a requested pause, which the breaker judges. */
    failed: (error: unknown): void => {
      const { kind, message, pauseMs } = error instanceof SourceFailure ? error : UNREADABLE;
      // One renamed symbol must not cost the other seven assets.
      if (kind === null || kind === 'refused') guard.succeeded();
      else if (kind === 'busy') guard.pause(realNow(), pauseMs);
      else guard.failed(realNow());
      refusals = kind === 'refused' ? refusals + 1 : 0;
      const isPassing = kind === 'busy' || (kind === 'refused' && refusals < REFUSALS_IN_A_ROW);
      const state = isPassing && status.state !== 'new' ? status.state : 'down';
      status = { ...status, state, lastErrorAt: now(), lastError: message };
    },
    wasLate: (): void => {
      status = { ...status, lateTries: status.lateTries + 1 };
    },
    isDown,
    status: (): SourceStatus => {
      if (guard.isOpen(realNow())) return { ...status, state: 'open' };
      return isDown() ? { ...status, state: 'down' } : status;
    },
  };
}
