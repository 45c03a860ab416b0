import type { Client } from 'graphql-ws';

import type { Document } from './document.ts';
import type { Link } from './socket.ts';

/** One socket for all subscriptions. */
export interface Live {
  readonly link: () => Link;
  /** Returns a function that stops the listener. */
  onLink(listener: (link: Link) => void): () => void;
  /**
   * Returns a function that stops it. Each new connection begins with the current `variables`, so a caller that advances
   * `after` misses and repeats nothing.
   */
  follow<Answer, Variables>(
    document: Document<Answer, Variables>,
    variables: Variables & Record<string, unknown>,
    onData: (answer: Answer) => void,
  ): () => void;
  /** Connects, so that the link's state is known before anything is followed. */
  open(): void;
  /** Faster than an HTTP request. */
  readonly ask: <Answer, Variables>(
    document: Document<Answer, Variables>,
    variables: Variables & Record<string, unknown>,
  ) => Promise<Answer>;
}

/** After a refused subscription, which a new connection would not cure. */
const REFUSED_RETRY_MS = 5_000;

/** The socket opens at the first `open`, `follow` or `ask`. */
export function openLive(url: string, chance: () => number): Live {
  let link: Link = 'connecting';
  const listeners = new Set<(link: Link) => void>();
  const become = (next: Link): void => {
    if (next === link) return;
    link = next;
    for (const listener of listeners) listener(next);
  };
  let client: Promise<Client> | undefined;
  const connect = (): Promise<Client> =>
    (client ??= import('./on-demand.ts').then(({ openSocket }) => openSocket(url, { become, chance })));
  return {
    link: () => link,
    onLink(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    follow(document, variables, onData) {
      let stop: (() => void) | undefined;
      let isOver = false;
      const begin = async (): Promise<void> => {
        const socket = await connect();
        if (isOver) return;
        const again = (): void => {
          if (!isOver) setTimeout(() => void begin(), REFUSED_RETRY_MS);
        };
        stop = socket.subscribe<NonNullable<typeof document.answer>>(
          { query: document, variables },
          { next: ({ data }) => data && onData(data), error: again, complete: again },
        );
      };
      void begin();
      return () => {
        isOver = true;
        stop?.();
      };
    },
    open: () => void connect(),
    async ask(document, variables) {
      const socket = await connect();
      return new Promise((resolve, reject) => {
        socket.subscribe<NonNullable<typeof document.answer>>(
          { query: document, variables },
          { next: ({ data }) => data && resolve(data), error: reject, complete: reject },
        );
      });
    },
  };
}
