/** An iteration without values, for a subscription whose results go to its socket directly. */
export interface Pushed extends AsyncGenerator<never, undefined> {
  /** Ends the iteration with an error. */
  readonly fail: (error: Error) => void;
}

/**
 * `onEnd` is called when the consumer ends the iteration. Who waits for its next value then waits for ever: graphql-ws
 * would go on to end whatever operation has the same id by now.
 */
export function pushed(onEnd: () => void): Pushed {
  const { promise, reject } = Promise.withResolvers<IteratorResult<never, undefined>>();
  // Nobody may be iterating yet when the subscription fails.
  promise.catch(() => {});
  const end = async (): Promise<IteratorResult<never, undefined>> => {
    onEnd();
    return { done: true, value: undefined };
  };
  return {
    next: () => promise,
    return: end,
    throw: end,
    fail: reject,
    [Symbol.asyncIterator]() {
      return this;
    },
    async [Symbol.asyncDispose]() {
      await end();
    },
  };
}
