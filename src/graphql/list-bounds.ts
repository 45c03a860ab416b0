import { MAX_AMENDMENTS, MAX_CHANGES } from '../limits.ts';

/** Arguments that size a list, with the maximum of any field; resolvers refuse more. */
export const SIZE_ARGUMENTS = { first: 100, limit: 1_000, points: 1_000, hours: 168 } as const;

/** Maximum lengths of lists without a size argument. Lists of scalars count as one. */
export const LIST_BOUNDS: Readonly<Record<string, number>> = {
  'Agent.recentPredictions': 20,
  'Agent.webhooks': 3,
  'Amendment.agreedCandles': 8,
  'Amendment.evidence': 24,
  'ArchivedLeaderboard.rankings': 100,
  'BreakdownGroup.keys': 2,
  'Calibration.bins': 10,
  'Crowd.answers': 8,
  'CrowdPoint.shares': 8,
  'Forecast.candidates': 8,
  'Forecast.crowd': 8,
  'Forecast.price': 8,
  'Forecast.probabilities': 8,
  'ForecastCandidate.probabilities': 8,
  'ForecastCheckpoint.calibration': 10,
  'ForecastRecord.checkpoints': 5,
  'Health.sources': 3,
  'Market.assets': 8,
  'OwnLimits.budgets': 64,
  'OwnRounds.rounds': 168,
  'Prediction.reference': 8,
  'Query.benchmark': 20,
  'SignedRecord.signatures': 2,
  'Query.changes': MAX_CHANGES,
  'ReferencePoint.prices': 8,
  'ReferencePoint.probabilities': 8,
  'Round.agreedCandles': 8,
  'Round.amendments': MAX_AMENDMENTS,
  'Round.assets': 8,
  'Round.crowdHistory': 60,
  'Round.evidence': 24,
  'Round.forecasts': 5,
  'StandingPredictions.rows': 26,
  'ServiceKeys.keys': 20,
  'Stats.punctuality': 3,
  'Webhook.deliveries': 20,
};
