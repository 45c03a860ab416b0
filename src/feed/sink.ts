/** One subscriber's end of a shared subscription. */
export interface Sink {
  /** Hands over a payload; everybody who gets the same one gets the same object. */
  send(payload: SharedPayload): void;
  /** Resolves when the subscriber has read enough to be sent more, or is gone. */
  ready(): Promise<void>;
  /** Ends the subscription with an error. */
  fail(error: Error): void;
}

/** An execution's result, serialised once for all. */
export interface SharedPayload {
  /** The `next` message of graphql-transport-ws, given how it begins for the subscriber's operation. */
  frame(head: Buffer): Buffer;
}

/** How the messages of the operation `id` begin. */
export function frameHead(id: string): Buffer {
  return Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`);
}

/** `text` is the result as JSON. */
export function sharedPayload(text: string): SharedPayload {
  const tail = Buffer.from(`${text}}`);
  return { frame: (head) => Buffer.concat([head, tail]) };
}
