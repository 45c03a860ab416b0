import { createHash } from 'node:crypto';

/** What an agent knows when it answers. */
export interface Asked {
  readonly roundId: number;
  readonly choices: readonly string[];
  /** Percent over the last hour, by asset symbol in upper case. */
  readonly change1hPct: Readonly<Record<string, number>>;
}

export interface Answer {
  readonly prediction: string;
  readonly confidence: number;
}

export interface HouseAgent {
  readonly name: string;
  readonly answer: (asked: Asked) => Answer;
}

/** A few characters, so that the boards have something to tell apart. */
export const HOUSE_AGENTS: readonly HouseAgent[] = [
  { name: 'follower', answer: (asked) => ({ prediction: byChange(asked).at(-1) ?? '', confidence: 70 }) },
  { name: 'contrarian', answer: (asked) => ({ prediction: byChange(asked)[0] ?? '', confidence: 60 }) },
  { name: 'coin', answer: (asked) => ({ prediction: tossed(asked, 'coin'), confidence: 50 }) },
  { name: 'braggart', answer: (asked) => ({ prediction: tossed(asked, 'braggart'), confidence: 100 }) },
  { name: 'doubter', answer: (asked) => ({ prediction: tossed(asked, 'doubter'), confidence: 10 }) },
];

/** The choices from the one that fell most to the one that rose most; of YES and NO the mean of all assets decides. */
function byChange({ choices, change1hPct }: Asked): readonly string[] {
  const changes = Object.values(change1hPct);
  const mean = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length);
  const strength = (choice: string): number => change1hPct[choice] ?? (choice === 'YES' ? mean : -mean);
  return choices.toSorted((left, right) => strength(left) - strength(right));
}

function tossed({ roundId, choices }: Asked, name: string): string {
  const [byte = 0] = createHash('sha256').update(`${name} ${roundId}`).digest();
  return choices[byte % choices.length] ?? '';
}
