import { SECOND } from '../../rules/hours.ts';

/**
 * How a source failed. `silent`: no answer came. `slow`: none came in time. `broken`: an answer that is none (HTTP 5xx, no JSON,
 * too long). `busy`: it asks for a pause. `paused`: it was not asked, after failures, at its own request, or since it
 * still owed earlier answers. `refused`: it is well and answers, but not what was asked, such as for a symbol that it does
 * not know.
 */
export type FailureKind = 'silent' | 'slow' | 'broken' | 'busy' | 'paused' | 'refused';

/** What is known of an answer beside its content. */
export interface Origin {
  /** SHA-256 in hex of the whole body; null when none came. */
  readonly bodyHash: string | null;
  /** The `Date` that the source wrote on it. */
  readonly sourceTime: Date | null;
}

/** The pause of a source that asks for one without a length, in real milliseconds. */
export const USUAL_PAUSE_MS = 10 * SECOND;

const NO_ORIGIN: Origin = { bodyHash: null, sourceTime: null };

/** A source did not give what was asked. The message is one public sentence about "it" and holds nothing of the body. */
export class SourceFailure extends Error {
  override readonly name = 'SourceFailure';
  readonly kind: FailureKind;
  readonly origin: Origin;
  /** For `busy`: the length of the pause that it asks for, in real milliseconds. */
  readonly pauseMs: number;

  constructor(kind: FailureKind, message: string, more: { origin?: Origin; pauseMs?: number; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.kind = kind;
    this.origin = more.origin ?? NO_ORIGIN;
    this.pauseMs = more.pauseMs ?? 0;
  }
}
