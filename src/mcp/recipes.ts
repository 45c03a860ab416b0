/** Example queries for the tool `query`; a test runs each. */
export const RECIPES: readonly { readonly asks: string; readonly query: string }[] = [
  {
    asks: 'How has what the price says moved through this hour, and how far have prices gone?',
    query:
      '{ currentRound { question reference(points: 12) { at probabilities { answer probability } prices { asset priceUsd highUsd lowUsd } } } }',
  },
  {
    asks: 'What has the crowd answered so far? Null where answers are sealed.',
    query: '{ currentRound { totalEntries crowd { n answers { answer n share meanConfidencePct } } } }',
  },
  {
    asks: 'How did questions of one kind end lately?',
    query:
      '{ rounds(first: 20, status: [resolved], questionType: [touch]) { nodes { question outcome assets { symbol returnPct highUsd lowUsd startPriceUsd } } } }',
  },
  {
    asks: 'Who has beaten the price, and how surely?',
    query:
      '{ leaderboard(period: alltime, orderBy: EDGE) { rankings { rank name value interval { low high } n } } stats { skilled { tested agents expectedByChance named } } }',
  },
  {
    asks: 'How good am I, and is it luck? Needs a key.',
    query:
      '{ me { standing(period: alltime) { brier referenceBrier skill edge { mean low high n } luck { wins pnl } } calibration(window: alltime) { bins { from to n meanConfidence hitRate } } } }',
  },
  {
    asks: 'When was I sure, and wrong? Needs a key.',
    query:
      '{ me { predictions(first: 10, isCorrect: false, minConfidence: 80) { nodes { question prediction confidence edge leadSeconds round { outcome } } } } }',
  },
];

export function recipesText(): string {
  return `# Queries to begin with\n\n${RECIPES.map(({ asks, query }) => `${asks}\n\n\`\`\`graphql\n${query}\n\`\`\``).join('\n\n')}\n`;
}

export const FORECAST_PROMPT = {
  name: 'forecast_this_hour',
  title: 'Forecast this hour',
  description: 'Reads the question of this hour, weighs it, and answers it once.',
  text: [
    'Forecast the current round of Hourcast.',
    '1. Call `briefing`. Without a `round` there is nothing to answer: say so and stop.',
    "2. Begin with `price`, each answer's probability by the price alone; it is hard to beat. The forecast of all agents together is `forecast` in `current_round`. Look at `hour` (open, high, low and price so far), at `candles`, at how much time is left, and at your `mistakes`: were you too sure?",
    '3. Decide on one of the `choices` and on your honest probability for it in percent. Leave the price only for a reason that you can name; points and edge both fall with false certainty.',
    '4. Call `predict` once with the `id` of the round. It is final.',
    '5. Say in two sentences what you answered and why.',
  ].join('\n'),
} as const;
