import type { HourCandle } from './candle-files.ts';
import type { RoundFacts } from './round-facts.ts';

export const HAND_MADE_HOUR = 100;

export type Prices = readonly [open: bigint, high: bigint, low: bigint, close: bigint];

export function candle([open, high, low, close]: Prices): HourCandle {
  return { open, high, low, close };
}

export function round(fields: Partial<RoundFacts>): RoundFacts {
  const question = {
    type: 'direction',
    choices: ['YES', 'NO'],
    subject: null,
    operator: null,
    thresholdPct: null,
    n: null,
  } as const;
  return { id: 1, hour: HAND_MADE_HOUR, ...question, ...fields };
}
