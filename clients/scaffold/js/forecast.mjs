/**
 * Your part: an answer to the round's question and its probability in percent. This one expects the last hour to repeat itself,
 * with little confidence. `market` has present prices, `recent` the last rounds.
 */
export function forecast({ round, market }) {
  const changes = Object.fromEntries(
    Object.entries(market.assets).map(([symbol, { change_1h }]) => [symbol, change_1h]),
  );
  if (round.prediction_format === 'choice') {
    const ranked = round.choices.toSorted((one, other) => changes[other] - changes[one]);
    const prediction = round.question_type === 'worst_performer' ? ranked.at(-1) : ranked[0];
    return { prediction, confidence: Math.round(100 / round.choices.length) + 2 };
  }
  const { subject, operator, threshold_pct: threshold } = round.params;
  const all = Object.values(changes);
  const change = subject === null ? all.reduce((sum, one) => sum + one, 0) / all.length : changes[subject];
  const holds = operator === '<=' ? change <= (threshold ?? 0) : change >= (threshold ?? 0);
  return { prediction: holds ? 'YES' : 'NO', confidence: 55 };
}
