import { type Client, createClient } from 'graphql-ws/client';

/** How the page is connected: `live` is the one in which everything arrives. */
export type Link = 'connecting' | 'live' | 'reconnecting' | 'offline';

const KEEP_ALIVE_MS = 10_000;
/** A socket that has not answered a ping for so long is dead. */
const PONG_WITHIN_MS = 5_000;

interface ClientDeps {
  readonly become: (link: Link) => void;
  readonly chance: () => number;
}

/** The socket at `url`, which is opened again for as long as the page is open. */
export function openSocket(url: string, { become, chance }: ClientDeps): Client {
  let dead: ReturnType<typeof setTimeout> | undefined;
  const lost = (): void => become(navigator.onLine ? 'reconnecting' : 'offline');
  const client = createClient({
    url,
    keepAlive: KEEP_ALIVE_MS,
    // Kept open for the page's whole life, also while nothing is followed.
    lazy: false,
    onNonLazyError: () => {},
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => true,
    retryWait: (retries) => new Promise((resolve) => setTimeout(resolve, retryMs(retries, chance()))),
    on: {
      connected: () => become('live'),
      closed: lost,
      ping: (received) => {
        if (!received) dead = setTimeout(() => client.terminate(), PONG_WITHIN_MS);
      },
      pong: (received) => {
        if (received) clearTimeout(dead);
      },
    },
  });
  window.addEventListener('offline', () => become('offline'));
  // A connection that is being waited for in vain is given up for a new one.
  window.addEventListener('online', () => {
    lost();
    client.terminate();
  });
  return client;
}

const FIRST_RETRY_MS = 300;
const LONGEST_RETRY_MS = 10_000;

/** How long to wait before a connection is tried again, with a third of it by chance, so that not all come at once. */
export function retryMs(retries: number, chance: number): number {
  return Math.min(FIRST_RETRY_MS * 2 ** retries, LONGEST_RETRY_MS) * (2 / 3 + chance / 3);
}
