/** An endpoint as the reference has it. */
export interface Endpoint {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The service recognizes repeats by `Idempotency-Key`. */
  readonly takesIdempotencyKey?: boolean;
  /** Query parameters of a method other than GET. */
  readonly inQuery?: readonly string[];
  /** The answer is text rather than JSON. */
  readonly isText?: boolean;
}

/** Options of one call. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Calls an endpoint with parameters by the reference's names, and returns its answer. */
export type Call = <Answer>(endpoint: Endpoint, parameters?: object, options?: CallOptions) => Promise<Answer>;
