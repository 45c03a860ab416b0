import { ASSETS } from '../rules/assets.ts';
import type { SourceState, SourceStatus } from './market.ts';
import { SourceFailure } from './source-failure.ts';

export interface StatusLedger {
  succeeded(): void;
  /** A source that refuses what was asked now and then is up all the same: it may not know one symbol. */
  failed(error: unknown): void;
  lastError(): string | null;
  status(): SourceStatus;
}

/** One refusal for each asset in a row cannot be one renamed symbol. */
const REFUSALS_IN_A_ROW = ASSETS.length;

/** Keeps what one source's requests came to. `isOpen` tells whether it is left alone at present. */
export function statusLedger(source: string, now: () => Date, isOpen: () => boolean): StatusLedger {
  let state: SourceState = 'new';
  let refusals = 0;
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
      refusals = error instanceof SourceFailure && error.kind === 'refused' ? refusals + 1 : 0;
      if (refusals === 0 || refusals >= REFUSALS_IN_A_ROW || state === 'new') state = 'down';
      lastErrorAt = now();
      lastError = error instanceof SourceFailure ? error.message : 'Its answer could not be read.';
    },
    lastError: () => lastError,
    status: () => ({ source, state: isOpen() ? 'open' : state, lastSuccessAt, lastErrorAt, lastError }),
  };
}
