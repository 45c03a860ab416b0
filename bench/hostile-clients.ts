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

/** One hostile client, in a process of its own. Told whom to attack it begins, with everything at once. */
export interface Attack extends Omit<Target, 'got'> {
  /** The attack that this client makes alone, as often at a time as all clients would together; null: all of them. */
  readonly only: { readonly name: string; readonly clients: number } | null;
}

/** What one attack of this client has got since it began; sent for all of them when the process gets `tell`. */
export interface Loot {
  readonly name: string;
  /** Subscriptions, connections or readers at a time. */
  readonly size: number;
  readonly got: Readonly<Record<string, number>>;
}

/** Each of four clients has a fourth of what hurts. The next begins a second later, so that none shuts another out. */
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

// Nobody attacks any longer than somebody watches.
process.on('disconnect', () => process.exit());
