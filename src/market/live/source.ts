import { SECOND } from '../../rules/hours.ts';
import { semaphore, TurnMissed } from '../../in-flight.ts';
import { breaker, type Breaker, type RetrySettings, withRetry } from './request-policy.ts';
import type { ExchangeApi } from './exchanges/exchange.ts';
import { type Fetch, fetchReply } from './fetch-reply.ts';
import type { SourceState, SourceStatus } from '../market.ts';
import { type Origin, SourceFailure } from './source-failure.ts';
import { ASSETS } from '../../rules/assets.ts';

export interface SourceSettings extends RetrySettings {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** The service's time. */
  readonly now: () => Date;
  readonly realNow: () => Date;
  readonly fetch?: Fetch | undefined;
  /** Real milliseconds for one answer; 5 s unless given. */
  readonly timeoutMs?: number | undefined;
  /** Called with an error that a source's answer causes in the code that reads it; the source then counts as failed. */
  readonly report: (error: unknown) => void;
}

export interface Asking {
  /** Ends the request, also while it waits for its turn. */
  readonly signal?: AbortSignal | undefined;
  /** Whether it has turns of its own: what is asked about older hours or present prices never holds it up. */
  readonly urgent?: boolean | undefined;
}

export interface Answer<T> {
  readonly value: T;
  readonly origin: Origin;
  /** When it had come, by the service's clock. */
  readonly fetchedAt: Date;
}

/** Reads a body; throws `SourceFailure` when it is not what was asked. */
export type Read<T> = (body: unknown) => T;

/** One exchange that is asked, with all that keeps it from being asked too much or waited for too long. */
export interface Source {
  readonly exchange: ExchangeApi;
  /** Throws `SourceFailure` when it does not give what was asked, a passing fault having been tried twice. */
  ask<T>(path: string, read: Read<T>, asking?: Asking): Promise<Answer<T>>;
  /** Whether it is known to be down, so that nobody need wait for it. */
  isDown(): boolean;
  /** Notes that it had no final candle of an hour that was to be decided. */
  wasLate(): void;
  status(): SourceStatus;
}

export const TIMEOUT_MS = 5 * SECOND;

/** So many urgent requests to one source are in flight at once, and so many others. */
const MAX_IN_FLIGHT = 3;

export function openSource(exchange: ExchangeApi, settings: SourceSettings): Source {
  const { realNow, stopping, random, wait } = settings;
  const guard = breaker();
  const held = (): 'open' | 'down' | null => {
    if (guard.isOpen(realNow())) return 'open';
    return guard.isDown(realNow()) ? 'down' : null;
  };
  const ledger = statusLedger(exchange.name, settings.now, held);
  const urgentTurns = semaphore(MAX_IN_FLIGHT);
  const otherTurns = semaphore(MAX_IN_FLIGHT);
  return {
    exchange,
    isDown: () => guard.isDown(realNow()),
    wasLate: () => ledger.wasLate(),
    status: () => ledger.status(),
    ask<T>(path: string, read: Read<T>, { signal, urgent = false }: Asking = {}) {
      const inTurn = urgent ? urgentTurns : otherTurns;
      const ending = signal === undefined ? stopping : AbortSignal.any([signal, stopping]);
      const asked = (): Promise<Answer<T>> =>
        guarded({ guard, ledger, realNow }, () => askOnce({ ...settings, signal }, path, read));
      return withRetry({ random, wait, stopping: ending }, () => inTurn(asked, ending).catch(turnFailure));
    },
  };
}

function turnFailure(cause: unknown): never {
  if (!(cause instanceof TurnMissed)) throw cause;
  throw new SourceFailure('paused', 'It was not asked in time, since it still owed earlier answers.', { cause });
}

interface Guards {
  readonly guard: Breaker;
  readonly ledger: StatusLedger;
  readonly realNow: () => Date;
}

async function guarded<T>({ guard, ledger, realNow }: Guards, asked: () => Promise<T>): Promise<T> {
  if (!guard.admits(realNow()))
    throw new SourceFailure('paused', `Requests to it are paused. ${ledger.lastError() ?? ''}`.trim());
  try {
    const answer = await asked();
    guard.succeeded();
    ledger.succeeded();
    return answer;
  } catch (error) {
    // A source that answers, though not what was asked, is not down: one renamed symbol must not cost the other seven.
    if (!(error instanceof SourceFailure) || error.kind === 'refused') guard.succeeded();
    else if (error.kind === 'busy') guard.pause(realNow(), error.pauseMs);
    else guard.failed(realNow());
    ledger.failed(error);
    throw error;
  }
}

async function askOnce<T>(
  settings: SourceSettings & Pick<Asking, 'signal'>,
  path: string,
  read: Read<T>,
): Promise<Answer<T>> {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS, stopping, signal, realNow } = settings;
  const { body, origin } = await fetchReply(settings.url + path, { fetch, timeoutMs, stopping, signal, realNow });
  try {
    return { value: read(body), origin, fetchedAt: settings.now() };
  } catch (cause) {
    if (cause instanceof SourceFailure)
      throw new SourceFailure(cause.kind, cause.message, { origin, pauseMs: cause.pauseMs, cause });
    // Whatever one source's answer does to the code that reads it, the others go on.
    settings.report(cause);
    throw new SourceFailure('broken', 'Its answer could not be read.', { origin, cause });
  }
}

export interface StatusLedger {
  succeeded(): void;
  /**
   * A source that refuses what was asked now and then is up all the same: it may not know one symbol. So is one that
   * asks for a pause, until its breaker says otherwise.
   */
  failed(error: unknown): void;
  /** It had no final candle of an hour that was to be decided. */
  wasLate(): void;
  lastError(): string | null;
  status(): SourceStatus;
}

/** One refusal for each asset in a row cannot be one renamed symbol. */
const REFUSALS_IN_A_ROW = ASSETS.length;

/** Keeps what one source's requests came to. `held`: whether its breaker holds them back at present. */
function statusLedger(
  source: string,
  now: () => Date,
  held: () => Extract<SourceState, 'open' | 'down'> | null,
): StatusLedger {
  let state: SourceState = 'new';
  let refusals = 0;
  let lateTries = 0;
  let lastSuccessAt: Date | null = null;
  let lastErrorAt: Date | null = null;
  let lastError: string | null = null;
  return {
    succeeded() {
      state = 'up';
      refusals = 0;
      lastSuccessAt = now();
    },
    failed(error) {
      const kind = error instanceof SourceFailure ? error.kind : null;
      refusals = kind === 'refused' ? refusals + 1 : 0;
      const isPassing = kind === 'busy' || (kind === 'refused' && refusals < REFUSALS_IN_A_ROW);
      if (!isPassing || state === 'new') state = 'down';
      lastErrorAt = now();
      lastError = error instanceof SourceFailure ? error.message : 'Its answer could not be read.';
    },
    wasLate() {
      lateTries++;
    },
    lastError: () => lastError,
    status: () => ({ source, state: held() ?? state, lastSuccessAt, lastErrorAt, lastError, lateTries }),
  };
}
