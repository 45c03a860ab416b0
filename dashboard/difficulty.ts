/** Rounds below are easy, above the other one hard: a coin that says 50 % has 0.25. */
export const EASY = 0.2;
export const HARD = 0.3;

/** A word for a round's difficulty, with its scale; independent of how many were right. */
export function difficultyWords(difficulty: number): string {
  const word = difficulty < EASY ? 'easy' : difficulty > HARD ? 'hard' : 'like a coin';
  return `Difficulty: ${word}, ${difficulty.toFixed(2)}. From 0, all sure and right, to 1, all sure and wrong; a coin has 0.25.`;
}
