import type { Side } from './fan-out-side.ts';

/** One side of the fan-out benchmark, in its own process. */
export type Command = 'publish' | 'usage';
export type Answered =
  | { readonly kind: 'listening'; readonly url: string; readonly query: string }
  /** The begin of the broadcast, by `process.hrtime`. */
  | { readonly kind: 'published'; readonly began: number }
  /** Resident bytes of the process, and microseconds of its processor time. */
  | { readonly kind: 'usage'; readonly rss: number; readonly cpu: number };

/** Loaded one by one, so that no process holds another side's code. */
const SIDES: Readonly<Record<string, () => Promise<Side>>> = {
  feed: async () => (await import('./fan-out-feed.ts')).feed(),
  'raw ws': async () => (await import('./fan-out-peers.ts')).rawWs(),
  'graphql-ws': async () => (await import('./fan-out-peers.ts')).graphqlWs(),
};

function answer(answered: Answered): void {
  process.send?.(answered);
}

const [, , name = ''] = process.argv;
const side = await SIDES[name]?.();
if (side === undefined) throw new Error(`A side is one of ${Object.keys(SIDES).join(', ')} (got ${name}).`);
process.on('message', async (command: Command) => {
  if (command === 'publish') answer({ kind: 'published', began: await side.publish() });
  else {
    const { user, system } = process.cpuUsage();
    answer({ kind: 'usage', rss: process.memoryUsage.rss(), cpu: user + system });
  }
});
answer({ kind: 'listening', url: side.url, query: side.query });
