import { SECOND } from '../../rules/hours.ts';

/**
 * `broken`: HTTP 5xx, no JSON, too long. `busy`: it asks for a pause. `paused`: not asked, because of failures, its own request
 * or its open requests. `refused`: a sound answer to something else, such as for an unknown symbol.
 */
export type FailureKind = 'silent' | 'slow' | 'broken' | 'busy' | 'paused' | 'refused';

export interface Origin {
  /** SHA-256 in hex of the whole body; null without one. */
  readonly bodyHash: string | null;
  readonly sourceTime: Date | null;
}

/** For `busy` without a length, in real milliseconds. */
export const USUAL_PAUSE_MS = 10 * SECOND;

const NO_ORIGIN: Origin = { bodyHash: null, sourceTime: null };

/** The message is one public sentence about "it" and contains nothing of the body. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly kind: FailureKind;
  readonly origin: Origin;
  readonly pauseMs: number;

  constructor(kind: FailureKind, message: string, more: { origin?: Origin; pauseMs?: number; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.origin = more.origin ?? NO_ORIGIN;
    this.pauseMs = more.pauseMs ?? 0;
  }
}
