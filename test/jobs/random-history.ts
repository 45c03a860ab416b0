import type { InsertedRound, Ruling } from './inserted-round.ts';
import { type Seeded, seeded } from '../support/seeded.ts';

/** A round of a history, and what becomes of it. */
export interface PlannedRound extends InsertedRound, Ruling {
  /** Whether something rare has just happened, so that the standings are worth a look. */
  readonly checked: boolean;
}

/** How likely an agent is to answer the `n`th round, to be right in it, and how sure it is. */
type Player = (
  n: number,
  random: Seeded,
) => { readonly plays: number; readonly right: number; readonly confidence: number };

const ROUNDS = 800;
const CHOICES = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];

/** The first four are made to reach tiers and to lose them; the others are of all sorts. */
const PLAYERS: readonly Player[] = [
  () => ({ plays: 1, right: 0.98, confidence: 92 }),
  (n) => ({ plays: 1, right: n < 330 ? 1 : 0, confidence: n < 330 ? 90 : 100 }),
  (n) => ({ plays: 1, right: n % 260 < 80 ? 1 : 0.02, confidence: 85 }),
  (n) => ({ plays: n < 100 || n > 500 ? 0.9 : 0, right: 0.8, confidence: 75 }),
  ...Array.from({ length: 16 }, (_, place): Player => {
    const skill = 0.2 + place / 20;
    return (_n, random) => ({ plays: 0.05 + (place % 8) / 8, right: skill, confidence: random.between(0, 100) });
  }),
];

/** Gaps in hours from one round to the next: mostly none, some that end exactly at a window's edge. */
const GAPS = [24, 24, 23, 25, 48, 7 * 24, 7 * 24 - 1, 30 * 24, 30 * 24 + 1, 7 * 24 + 5, 24, 40 * 24, 12, 30];

/** Rounds in the order in which they are decided: some are void, some late, and days are missing. */
export function randomHistory(seed: number): { readonly agentCount: number; readonly rounds: readonly PlannedRound[] } {
  const random = seeded(seed);
  const gapAfter = new Map(GAPS.map((gap, place) => [(place + 1) * Math.floor(ROUNDS / (GAPS.length + 1)), gap]));
  const queue: { readonly due: number; readonly round: Omit<PlannedRound, 'inHour'> }[] = [];
  let hour = 0;
  for (let n = 0; n < ROUNDS; n += 1) {
    const gap = gapAfter.get(n);
    hour += gap ?? 1;
    const late = random.chance(0.06) ? random.between(1, 70) : 0;
    const checked = gap !== undefined || late > 0;
    queue.push({ due: n + late + n / ROUNDS, round: { ...plannedRound(n, hour, random), checked } });
  }
  let newestHour = 0;
  const rounds = queue
    .toSorted((one, other) => one.due - other.due)
    .map(({ round }) => {
      newestHour = Math.max(newestHour, round.hour);
      return { ...round, inHour: newestHour };
    });
  return { agentCount: PLAYERS.length, rounds };
}

function plannedRound(n: number, hour: number, random: Seeded): Omit<PlannedRound, 'inHour' | 'checked'> {
  const choices = CHOICES.slice(0, random.pick([2, 2, 4, 8]));
  const answer = random.pick(choices);
  const predictions = PLAYERS.flatMap((player, place) => {
    const { plays, right, confidence } = player(n, random);
    if (!random.chance(plays)) return [];
    const wrong = random.pick(choices.filter((choice) => choice !== answer));
    const prediction = random.chance(right) ? answer : wrong;
    return [{ agentId: place + 1, prediction, confidence, afterMs: random.between(0, 3_599_999) }];
  });
  return { hour, choices, predictions, answer: random.chance(0.04) ? null : answer };
}
