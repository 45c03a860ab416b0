/** An endpoint of the service, as its reference has it. */
export interface Endpoint {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** Whether the service recognizes a repeat by its `Idempotency-Key`. */
  readonly takesIdempotencyKey?: boolean;
  /** What stands in the query although it is no GET. */
  readonly inQuery?: readonly string[];
  /** Whether the answer is text rather than JSON. */
  readonly isText?: boolean;
}

/** What holds for one call alone. */
export interface CallOptions {
  /** Ends the call; it then throws the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** Asks an endpoint with parameters by the reference's names, and returns its answer. */
export type Call = <Answer>(endpoint: Endpoint, parameters?: object, options?: CallOptions) => Promise<Answer>;
