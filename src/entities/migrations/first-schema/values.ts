/** The values that the first schema's columns take, as SQL. They stay as they are: a new value comes with a migration. */
export const ASSETS = `('BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT')`;

export const QUESTION_TYPES =
  `('relative', 'best_performer', 'worst_performer', 'podium', 'volatility', 'direction', 'threshold', 'touch', ` +
  `'magnitude', 'range', 'momentum', 'beat_market', 'breadth')`;

export const WINDOWS = ['daily', 'weekly', 'monthly', 'alltime'] as const;

export const PERIODS = `(${WINDOWS.map((window) => `'${window}'`).join(', ')})`;

/** A trigger of a table that is only ever added to. */
export function appendOnly(table: string): string {
  return `create trigger ${table}_kept before update or delete or truncate on ${table}
  for each statement execute function refuse_change();`;
}
