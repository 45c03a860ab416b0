import { SECOND } from '../rules/hours.ts';
import { breaker, type Breaker } from './breaker.ts';
import type { Exchange } from './exchanges/exchange.ts';
import { fetchReply, type Fetch } from './fetch-reply.ts';
import type { SourceStatus } from './market.ts';
import { withRetry, type RetrySettings } from './retry.ts';
import { SourceFailure, type Origin } from './source-failure.ts';
import { statusLedger, type StatusLedger } from './status-ledger.ts';
import { turns } from './turns.ts';

export interface SourceSettings extends RetrySettings {
  /** The base address, without a slash at its end. */
  readonly url: string;
  /** The service's time. */
  readonly now: () => Date;
  readonly realNow: () => Date;
  readonly fetch?: Fetch | undefined;
  /** Real milliseconds for one answer; 5 s unless given. */
  readonly timeoutMs?: number | undefined;
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
  readonly exchange: Exchange;
  /** Throws `SourceFailure` when it does not give what was asked, a passing fault having been tried twice. */
  ask<T>(path: string, read: Read<T>): Promise<Answer<T>>;
  status(): SourceStatus;
}

const TIMEOUT_MS = 5 * SECOND;

/** So many requests to one source are under way at once. */
const AT_ONCE = 3;

export function openSource(exchange: Exchange, settings: SourceSettings): Source {
  const guard = breaker();
  const ledger = statusLedger(exchange.name, settings.now, () => guard.isOpen(settings.realNow()));
  const inTurn = turns(AT_ONCE);
  return {
    exchange,
    status: () => ledger.status(),
    ask: (path, read) =>
      withRetry(settings, () =>
        inTurn(() => guarded({ guard, ledger, realNow: settings.realNow }, () => askOnce(settings, path, read))),
      ),
  };
}

interface Guards {
  readonly guard: Breaker;
  readonly ledger: StatusLedger;
  readonly realNow: () => Date;
}

async function guarded<T>({ guard, ledger, realNow }: Guards, asked: () => Promise<T>): Promise<T> {
  if (!guard.admits(realNow()))
    throw new SourceFailure('paused', `It is left alone for a while. ${ledger.lastError() ?? ''}`.trim());
  try {
    const answer = await asked();
    guard.succeeded();
    ledger.succeeded();
    return answer;
  } catch (error) {
    // A source that answers, though not what was asked, is not down: one renamed symbol must not cost the other seven.
    if (!(error instanceof SourceFailure) || error.kind === 'refused') guard.succeeded();
    else guard.failed(realNow());
    if (error instanceof SourceFailure && error.kind === 'busy') guard.pause(realNow(), error.pauseMs);
    ledger.failed(error);
    throw error;
  }
}

async function askOnce<T>(settings: SourceSettings, path: string, read: Read<T>): Promise<Answer<T>> {
  const { fetch = globalThis.fetch, timeoutMs = TIMEOUT_MS, stopping, realNow } = settings;
  const { body, origin } = await fetchReply(settings.url + path, { fetch, timeoutMs, stopping, realNow });
  try {
    return { value: read(body), origin, fetchedAt: settings.now() };
  } catch (cause) {
    if (!(cause instanceof SourceFailure)) throw cause;
    throw new SourceFailure(cause.kind, cause.message, { origin, cause });
  }
}
