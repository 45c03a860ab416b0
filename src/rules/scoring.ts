/** Points by confidence (spec 3.3), from the boldest band down; a band reaches from `from` to the next one above. */
export const CONFIDENCE_BANDS = [
  { from: 80, correct: 100, wrong: -50 },
  { from: 50, correct: 60, wrong: -30 },
  { from: 0, correct: 30, wrong: -10 },
] as const;

/** Points that every scored prediction gets, right or wrong (spec 3.3). */
export const CONSISTENCY_BONUS = 10;

/** The score of one prediction: table points and consistency bonus. Streaks never enter: correct at 85 is always 110. */
export function scoreOf(confidence: number, correct: boolean): number {
  const band = CONFIDENCE_BANDS.find(({ from }) => confidence >= from);
  if (band === undefined) throw new RangeError(`confidence ${confidence} is below every band`);
  return (correct ? band.correct : band.wrong) + CONSISTENCY_BONUS;
}
