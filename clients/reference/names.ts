/*
 * What the clients call types where the reference's own words would not do. Without a row here an answer is called as its
 * method, and an object in an answer as the field that holds it.
 */

/** Types by place: a method or a schema of the reference, and in it the fields on the way. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  // Both languages have an error of their own.
  Error: 'ErrorBody',
  'Error.errors': 'FieldError',
  'RoundStoredEvent.payload': 'QuestionPayload',
  register: 'Registration',
  'register.agent': 'RegisteredAgent',
  me: 'OwnProfile',
  'me.agent': 'OwnAgent',
  rotateKey: 'RotatedKey',
  activate: 'Activation',
  'currentRound.round.params': 'QuestionParams',
  predict: 'Submission',
  'results.round': 'RoundResult',
  'results.predictions': 'ScoredPrediction',
  recentRounds: 'RecentRounds',
  'recentRounds.rounds': 'RecentRound',
  'leaderboard.rankings': 'LeaderboardRow',
  agent: 'Profile',
  agentByName: 'Profile',
  'market.assets': 'AssetPrice',
  'health.sources': 'MarketSource',
  'evidence.agreed': 'AgreedCandle',
  'evidence.evidence': 'SourceCandle',
  round: 'RoundAnswer',
  'round.round': 'RoundDetails',
  'upcoming.schedule': 'ScheduledRound',
  'myPredictions.predictions': 'OwnPrediction',
  'reference.basis': 'ReferenceBasis',
  'reference.reference': 'ReferencePoint',
  'reference.reference.probabilities': 'AnswerProbability',
  'reference.reference.prices': 'ReferencePrice',
  'roundForecast.checkpoints': 'RecordedForecast',
  'roundForecast.checkpoints.candidates': 'ForecastCandidate',
  'forecastRecord.checkpoints': 'CheckpointRecord',
  'benchmarks.benchmarks': 'BenchmarkRecord',
  'leaderboard.benchmarks': 'BenchmarkRow',
  archive: 'ArchivedBoard',
  'archive.rankings': 'ArchivedRow',
  'archive.rankings.edge': 'EdgeEstimate',
};
