/** Extra points for consecutive wins (spec 3.3), from the shortest streak up. */
export const STREAK_STEPS = [
  { wins: 3, bonus: 5 },
  { wins: 5, bonus: 10 },
  { wins: 10, bonus: 15 },
  { wins: 20, bonus: 25 },
] as const;

/** The streak after a resolved round that the agent predicted. Rounds sat out and void rounds leave it as it is. */
export function streakAfter(streak: number, correct: boolean): number {
  return correct ? streak + 1 : 0;
}

/** The bonus of the win that brought the streak to `streak`: the highest step reached alone, 0 below the first. */
export function streakBonus(streak: number): number {
  return STREAK_STEPS.findLast(({ wins }) => streak >= wins)?.bonus ?? 0;
}
