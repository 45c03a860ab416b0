import { type Client, createClient } from 'graphql-ws/client';

/** Everything arrives while it is `live`. */
export type Link = 'connecting' | 'live' | 'reconnecting' | 'offline';

const KEEP_ALIVE_MS = 10_000;
/** A socket is dead after this time without a pong. */
const PONG_WITHIN_MS = 5_000;

interface ClientDeps {
  readonly become: (link: Link) => void;
  readonly chance: () => number;
}

/** Reconnects while the page is open. */
export function openSocket(url: string, { become, chance }: ClientDeps): Client {
  let dead: ReturnType<typeof setTimeout> | undefined;
  const lost = (): void => become(navigator.onLine ? 'reconnecting' : 'offline');
  const client = createClient({
    url,
    keepAlive: KEEP_ALIVE_MS,
    // Stays open for the page's whole life, also without subscriptions.
    lazy: false,
    onNonLazyError: () => {},
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, retryMs(retries, chance()))),
    on: {
      connected: () => become('live'),
      closed: () => {
        clearTimeout(dead);
        lost();
      },
      ping: (received) => {
        if (!received) dead = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(dead);
      },
    },
  });
  window.addEventListener('offline', () => become('offline'));
  // A stuck connection attempt is replaced by a new one.
  window.addEventListener('online', () => {
    lost();
    client.terminate();
  });
  return client;
}

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 10_000;

/** A third of the delay is random, so that clients do not reconnect at once. */
export function retryMs(retries: number, chance: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS) * (2 / 3 + chance / 3);
}
