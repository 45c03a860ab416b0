import { type Client, createClient, type FormattedExecutionResult } from 'graphql-ws';
import { WebSocket } from 'ws';

import { type Collected, collector } from './collector.ts';

export interface ClientSettings {
  readonly key?: string;
  /** Resolves when it may reconnect; default: it does not. */
  readonly comeBack?: () => Promise<void>;
  /** Called after each connect. */
  readonly onConnected?: (socket: WebSocket) => void;
  /** Called with each connection's close code. */
  readonly onClosed?: (code: number) => void;
}

export function socketUrl(url: string): string {
  return `${url.replace('http', 'ws')}/graphql`;
}

/** A real client of the service's socket; `url` may change while it lives. */
export function socketClient(url: string | (() => string), settings: ClientSettings = {}): Client {
  const { key, comeBack, onConnected, onClosed } = settings;
  return createClient({
    url: () => socketUrl(typeof url === 'string' ? url : url()),
    webSocketImpl: WebSocket,
    shouldRetry: () => comeBack !== undefined,
    retryAttempts: Number.POSITIVE_INFINITY,
    retryWait: async () => comeBack?.(),
    on: {
      connected: (socket) => {
        if (socket instanceof WebSocket) onConnected?.(socket);
      },
      closed: (event) => onClosed?.(codeOf(event)),
    },
    ...(key === undefined ? {} : { connectionParams: { authorization: `Bearer ${key}` } }),
  });
}

function codeOf(event: unknown): number {
  return typeof event === 'object' && event !== null && 'code' in event ? Number(event.code) : 0;
}

/** A subscription and its results so far. */
export interface Received<T> extends Collected<FormattedExecutionResult<T>>, AsyncDisposable {
  stop(): void;
}

/** A function for `variables` is called at each connect. */
export function receive<T extends Record<string, unknown>>(
  client: Client,
  query: string,
  variables: Record<string, unknown> | (() => Record<string, unknown>) = {},
): Received<T> {
  const received = collector<FormattedExecutionResult<T>>();
  const payload = {
    query,
    get variables() {
      return typeof variables === 'function' ? variables() : variables;
    },
  };
  const stop = client.subscribe<T, Record<string, unknown>>(payload, {
    next: (result) => received.add(result),
    error: (error) => received.fail(failureOf(error)),
    complete: () => received.fail(new Error('The subscription is complete')),
  });
  return {
    ...received,
    stop,
    async [Symbol.asyncDispose]() {
      stop();
      await client.dispose();
    },
  };
}

/** A refusal is a list of errors; a closed connection is a close event. */
function failureOf(error: unknown): Error {
  if (error instanceof Error) return error;
  if (typeof error === 'object' && error !== null && 'code' in error && 'reason' in error) {
    return new Error(`closed with ${String(error.code)} ${String(error.reason)}`);
  }
  return new Error(JSON.stringify(error));
}
