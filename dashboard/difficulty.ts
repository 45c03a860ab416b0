/** Below it a round is called easy, above the other hard: a coin that says 50 % has 0.25. */
export const EASY = 0.2;
export const HARD = 0.3;

/** How hard a round was, as a word with its scale; how many were right is another matter. */
export function difficultyWords(difficulty: number): string {
  const word = difficulty < EASY ? 'easy' : difficulty > HARD ? 'hard' : 'like a coin';
  return `Difficulty: ${word}, ${difficulty.toFixed(2)}. From 0, all sure and right, to 1, all sure and wrong; a coin has 0.25.`;
}
