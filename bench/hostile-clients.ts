import {
  askForNothing,
  askForRecords,
  askForSchema,
  readNothing,
  readSlowly,
  RECORDS,
  type Target,
} from './hostile-attacks.ts';
import { replay } from './hostile-replays.ts';

/** One hostile client in its own process. It begins all attacks when it gets its target. */
export interface Attack extends Omit<Target, 'got'> {
  /** The client's only attack, at the concurrency of all clients together; null: all attacks. */
  readonly only: { readonly name: string; readonly clients: number } | null;
}

/** The results of one attack, sent when the process gets `tell`. */
export interface Loot {
  readonly name: string;
  /** Concurrent subscriptions, connections or readers. */
  readonly size: number;
  readonly got: Readonly<Record<string, number>>;
}

/** Each of four clients has a fourth of the load. They begin a second apart, so that none displaces another. */
const ATTACKS = [
  { name: 'exports at 10 KB/s', attack: readSlowly, size: 1 },
  { name: 'replays with a document each', attack: replay, size: 23 },
  { name: 'predictions that do not exist', attack: askForNothing, size: 2 },
  { name: RECORDS, attack: askForRecords, size: 1 },
  { name: 'large answers, not read', attack: readNothing, size: 50 },
  { name: 'the schema ten times', attack: askForSchema, size: 4 },
] as const;
const NEXT_MS = 1_000;

const loots: Loot[] = [];

process.on('message', (message: Attack | 'tell') => {
  if (message === 'tell') {
    process.send?.(loots);
    return;
  }
  const { only } = message;
  const chosen = ATTACKS.filter(({ name }) => only === null || name === only.name);
  for (const [turn, { name, attack, size: ofOne }] of chosen.entries()) {
    const size = ofOne * (only?.clients ?? 1);
    const counts: Record<string, number> = {};
    loots.push({ name, size, got: counts });
    const target: Target = { ...message, got: (what) => void (counts[what] = (counts[what] ?? 0) + 1) };
    setTimeout(attack, turn * NEXT_MS, target, size);
  }
});

// Attacks end with the observer.
process.on('disconnect', () => process.exit());
