import { FEED_LIMITS } from '../limits.ts';

/** Counts the feed's open connections by address. */
export interface Connections {
  /** Takes a place for a connection of `address`; answers how to give it back, or null when all are taken. */
  take(address: string): (() => void) | null;
}

export function countConnections(most: number = FEED_LIMITS.connectionsPerAddress): Connections {
  const open = new Map<string, number>();
  return {
    take(address) {
      const count = open.get(address) ?? 0;
      if (count >= most) return null;
      open.set(address, count + 1);
      let given = false;
      return () => {
        if (given) return;
        given = true;
        const left = (open.get(address) ?? 1) - 1;
        if (left === 0) open.delete(address);
        else open.set(address, left);
      };
    },
  };
}
