import type { DecidedRound } from '../../src/verify/published/decided-round.ts';
import type { RoundDetails } from '../../src/verify/published/round-details.ts';
import { type RecomputedRound, recomputedReferences } from '../../src/verify/prices/round-references.ts';

export const START = new Date('2026-01-01T10:00:00Z');
/** What a round of one asset asks. */
export const ASKED = {
  questionType: 'direction',
  predictionFormat: 'boolean',
  question: 'Up?',
  choices: ['YES', 'NO'],
  assets: ['BTC'],
  params: { subject: 'BTC', operator: '>', thresholdPct: null, n: null },
} as const;

/** A resolved round of that question, of three exchanges. */
export const ROUND: DecidedRound = {
  id: 7,
  question: 'Up?',
  question_type: 'direction',
  prediction_format: 'boolean',
  choices: ['YES', 'NO'],
  subject: 'BTC',
  operator: '>',
  threshold_pct: null,
  n: null,
  start_time: START,
  end_time: new Date('2026-01-01T11:00:00Z'),
  status: 'resolved',
  rules_version: 2,
  archived: 0,
  total_entries: 0,
  source: 'coinbase+kraken+binance',
  outcome: 'YES',
  resolution_value: 1,
  void_reason: null,
  decided_at: new Date('2026-01-01T11:00:02Z'),
  amended_at: null,
};

/** Details of a round of which nothing is stored. */
const NO_DETAILS: RoundDetails = {
  id: ROUND.id,
  assets: [],
  crowd: { n: 0, meanConfidence: null, answers: [] },
  difficulty: null,
  amendments: [],
  agreedCandles: [],
  evidence: [],
  quotes: { points: [], prices: [], highs: [], lows: [] },
  referenceBasis: null,
  reference: [],
  forecasts: [],
  results: [],
};

/** That round without predictions, with these details. */
export function roundWith(details: Partial<RoundDetails>, round: DecidedRound = ROUND): RecomputedRound {
  const read = { round, predictions: [], details: { ...NO_DETAILS, ...details } };
  return { ...read, question: ASKED, recomputedAt: recomputedReferences(read, ASKED) };
}
