import type { CompiledEndpoint } from '../rest/compile.ts';
import type { PathItem } from './openapi.ts';

/* Without a row, a GET is named after the last fixed part of its path, and an object after its field. */

const OPERATION_IDS: Readonly<Record<string, string>> = {
  'GET /api/rounds/current': 'getCurrentRound',
  'GET /api/rounds/recent': 'getRecentRounds',
  'GET /api/agents/{agent_id}': 'getAgent',
  'GET /api/rounds/{round_id}': 'getRound',
  'GET /api/schedule.ics': 'getCalendar',
  'GET /api/agents': 'getAgentByName',
  'GET /api/me/predictions': 'getMyPredictions',
  'GET /api/me/rounds': 'getMyRounds',
  'GET /api/me/limits': 'getMyLimits',
  'GET /api/rounds/{round_id}/forecast': 'getRoundForecast',
  'GET /api/forecast/record': 'getForecastRecord',
  'GET /api/me/webhooks/{id}/deliveries': 'getWebhookDeliveries',
  'GET /.well-known/hourcast-keys.json': 'getServiceKeys',
  'GET /api/rounds/{round_id}/predictions/{prediction_id}/proof': 'getPredictionProof',
  'GET /api/me/predictions/{prediction_id}/receipt': 'getMyReceipt',
  'GET /api/agents/{name}/record.json': 'getSignedRecord',
};

export function operationIdOf({ method, path, operation }: CompiledEndpoint): string {
  if (method !== 'GET') return operation.selected({}).fields[0]?.definition.name ?? '';
  const part = path.split('/').findLast((one) => !one.startsWith('{')) ?? '';
  const words = part.replaceAll(/[-._](\w)/g, (_whole, letter: string) => letter.toUpperCase());
  return OPERATION_IDS[`${method} ${path}`] ?? `get${pascalCased(words)}`;
}

const SCHEMA_NAMES: Readonly<Record<string, string>> = {
  'Error.errors': 'FieldError',
  'RoundStoredEvent.payload': 'QuestionPayload',
  'WebhookDisabledEvent.payload': 'HeartbeatEventPayload',
  register: 'Registration',
  'register.agent': 'RegisteredAgent',
  me: 'OwnProfile',
  'me.agent': 'OwnAgent',
  'me.agent.standing_predictions': 'StandingLapse',
  standing: 'StandingPredictions',
  'standing.rows': 'StandingRow',
  'setStandingRequest.rows': 'NewStandingRow',
  rotateKey: 'RotatedKey',
  activate: 'Activation',
  'currentRound.round.params': 'QuestionParams',
  submitPrediction: 'Submission',
  'results.round': 'RoundResult',
  'results.predictions': 'ScoredPrediction',
  'recentRounds.rounds': 'RecentRound',
  'leaderboard.rankings': 'LeaderboardRow',
  agent: 'Profile',
  'market.assets': 'AssetPrice',
  'health.sources': 'MarketSource',
  'evidence.agreed': 'AgreedCandle',
  'evidence.evidence': 'SourceCandle',
  round: 'RoundAnswer',
  'round.round': 'RoundDetails',
  'upcoming.schedule': 'ScheduledRound',
  'myPredictions.predictions': 'OwnPrediction',
  updateMe: 'UpdatedProfile',
  'updateMe.agent': 'UpdatedAgent',
  'models.models': 'ModelRow',
  'myRounds.rounds': 'OwnRound',
  'reference.basis': 'ReferenceBasis',
  'reference.reference': 'ReferencePoint',
  'reference.reference.probabilities': 'AnswerProbability',
  'reference.reference.prices': 'ReferencePrice',
  'roundForecast.checkpoints': 'RecordedForecast',
  'roundForecast.checkpoints.candidates': 'ForecastCandidate',
  'forecastRecord.checkpoints': 'CheckpointRecord',
  'forecastRecord.checkpoints.calibration.forecast': 'CalibrationFigures',
  'benchmarks.benchmarks': 'BenchmarkRecord',
  'leaderboard.benchmarks': 'BenchmarkRow',
  'briefing.price': 'PriceView',
  'briefing.hour': 'HourSoFar',
  createWebhook: 'WebhookAnswer',
  'webhookDeliveries.deliveries': 'WebhookDelivery',
  'serviceKeys.keys': 'ServiceKey',
  archive: 'ArchivedBoard',
  'archive.rankings': 'ArchivedRow',
  'archive.rankings.edge': 'EdgeEstimate',
};

export function locationOf(operationId: string): string {
  const got = /^get([A-Z].*)$/.exec(operationId)?.[1];
  return got === undefined ? operationId : got.slice(0, 1).toLowerCase() + got.slice(1);
}

export function nameAt(location: string, same: string | undefined, isTaken: (name: string) => boolean): string {
  return SCHEMA_NAMES[location] ?? same ?? freeName(location, isTaken);
}

/** Throws for unused rows above. */
export function refuseStaleNames(paths: Readonly<Record<string, PathItem>>, locations: ReadonlySet<string>): void {
  const operations = new Set(
    Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`)),
  );
  const stale = [
    ...Object.keys(OPERATION_IDS).filter((one) => !operations.has(one)),
    ...Object.keys(SCHEMA_NAMES).filter((location) => !locations.has(location)),
  ];
  if (stale.length > 0) throw new Error(`The reference has nothing at ${stale.join(', ')} (src/openapi/names.ts)`);
}

function freeName(location: string, isTaken: (name: string) => boolean): string {
  const parts = location.split('.').map(pascalCased);
  const own = parts.at(-1) ?? '';
  const short = parts.length > 1 ? singular(own) : own;
  // Objects within a component have the component's name as prefix.
  const isOfComponent = parts.length > 1 && location.startsWith(parts[0] ?? '');
  return isOfComponent || isTaken(short) ? parts.join('') : short;
}

export function pascalCased(word: string): string {
  return word.split('_').map(capital).join('');
}

export function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) && !word.endsWith('Holders') ? word.slice(0, -1) : word;
}
