import { SHOWN_MODELS } from './rules/breakdowns.ts';
import { DomainError } from './rules/errors.ts';
import { HOUR, MINUTE, SECOND } from './rules/hours.ts';

type Scope = 'ip' | 'agent';

interface Limit {
  readonly requests: number;
  /** Real milliseconds, from the first request. */
  readonly windowMs: number;
  readonly scope: Scope;
  /** The requests that no row of the table of endpoints names. */
  readonly covers?: string;
  /** The root fields of the schema that spend this budget. */
  readonly fields?: readonly string[];
  /** Browsers may use these only on the service's own pages, or those of `CORS_ORIGINS`. */
  readonly ownOriginOnly?: true;
}

const READS = { requests: 120, windowMs: MINUTE, scope: 'ip' } as const;
const OWN_READS = { requests: 30, windowMs: MINUTE, scope: 'agent' } as const;
const OWN_CHANGES = { requests: 30, windowMs: HOUR, scope: 'agent' } as const;
/** In units of `extensions.cost`. */
const COST = { requests: 200_000, windowMs: MINUTE, scope: 'ip' } as const;

/** The limits of spec section 8 in its order, then others. Scope `agent`: the endpoint needs a key. */
export const LIMITS = {
  register: { requests: 3, windowMs: HOUR, scope: 'ip', fields: ['register'], ownOriginOnly: true },
  me: { ...OWN_READS, fields: ['me'] },
  rotateKey: { requests: 3, windowMs: HOUR, scope: 'agent', fields: ['rotateKey'], ownOriginOnly: true },
  activate: { requests: 5, windowMs: HOUR, scope: 'agent', fields: ['activate'], ownOriginOnly: true },
  currentRound: { ...READS, fields: ['currentRound', 'nextRound', 'schedule', 'events', 'roundUpdated'] },
  predictions: { ...OWN_CHANGES, fields: ['submitPrediction'] },
  results: { ...READS, fields: ['round'] },
  entries: READS,
  recentRounds: { ...READS, fields: ['rounds', 'predictions'] },
  leaderboard: { ...READS, fields: ['leaderboard', 'leaderboardArchive', 'leaderboardArchives', 'leaderboardUpdated'] },
  agent: { requests: 60, windowMs: MINUTE, scope: 'ip', fields: ['agent', 'agents', 'headToHead'] },
  market: { ...READS, fields: ['market', 'marketUpdated'] },
  stats: { ...READS, fields: ['breakdown', 'stats', 'records'] },
  health: { ...READS, fields: ['health'] },
  candles: { ...READS, fields: ['candles'] },
  evidence: READS,
  round: READS,
  upcomingRounds: READS,
  schedule: READS,
  calendar: READS,
  agentByName: { requests: 60, windowMs: MINUTE, scope: 'ip' },
  ownPredictions: OWN_READS,
  ownRounds: { ...OWN_READS, fields: ['ownRounds'] },
  /** Reading budgets spends no other one. */
  ownLimits: { ...OWN_READS, fields: ['ownLimits'] },
  reference: READS,
  forecast: READS,
  roundForecast: READS,
  forecastRecord: { ...READS, fields: ['forecastRecord'] },
  benchmark: { ...READS, fields: ['benchmark'] },
  briefing: { ...READS, fields: ['viewer'] },
  standing: OWN_READS,
  setStanding: { ...OWN_READS, fields: ['setStanding'], ownOriginOnly: true },
  clearStanding: { ...OWN_READS, fields: ['clearStanding'], ownOriginOnly: true },
  createWebhook: { ...OWN_CHANGES, fields: ['createWebhook'], ownOriginOnly: true },
  webhooks: OWN_READS,
  deleteWebhook: { ...OWN_CHANGES, fields: ['deleteWebhook'], ownOriginOnly: true },
  testWebhook: { ...OWN_CHANGES, fields: ['testWebhook'], ownOriginOnly: true },
  replayWebhook: { ...OWN_CHANGES, fields: ['replayWebhook'], ownOriginOnly: true },
  webhookDeliveries: { ...OWN_READS, fields: ['webhook'] },
  serviceKeys: { ...READS, fields: ['serviceKeys'] },
  changes: { ...READS, fields: ['changes'] },
  updateMe: { requests: 10, windowMs: HOUR, scope: 'agent', fields: ['updateMe'], ownOriginOnly: true },
  models: { ...READS, fields: ['models'] },
  proof: { ...READS, fields: ['predictionProof'] },
  receipt: { ...OWN_READS, fields: ['receipt'] },
  record: { requests: 60, windowMs: MINUTE, scope: 'ip', fields: ['signedRecord'] },
  exports: { requests: 10, windowMs: MINUTE, scope: 'ip', covers: 'GET /api/export/...' },
  /** `verify --log` sends one request for each round. */
  log: { requests: 1_200, windowMs: MINUTE, scope: 'ip', covers: 'GET /log/...' },
  eventLog: { ...READS, covers: 'GET /api/events/head, /api/events/segments/...' },
  feeds: { requests: 60, windowMs: MINUTE, scope: 'ip', covers: 'GET /feeds/...' },
  /** Requests for `/graphql` and `/mcp`, and messages on sockets, each before it is parsed. */
  graphqlRequest: {
    requests: 600,
    windowMs: MINUTE,
    scope: 'ip',
    covers: '/graphql and /mcp: requests, and messages on sockets',
  },
  /** Drawing a preview is slow; its reads are counted separately. */
  previews: { requests: 60, windowMs: MINUTE, scope: 'ip', covers: 'GET /preview/...' },
  introspection: { requests: 30, windowMs: MINUTE, scope: 'ip', covers: '/graphql: introspection' },
  /** Cost of executed queries, over HTTP, sockets and MCP, beside the budgets of their fields. Cached answers are free. */
  queryCost: { ...COST, covers: '/graphql and /mcp: extensions.cost.used of queries' },
  unknownKeys: { requests: 600, windowMs: MINUTE, scope: 'ip', covers: 'requests with an unknown key' },
  /** Cost of executions by which subscriptions catch up, and stay current. A month's log with some 50 fields an event fits in. */
  subscriptionReplays: { ...COST, covers: '/graphql: cost of events that subscriptions catch up on' },
  subscriptionUpdates: { ...COST, covers: '/graphql: cost of updates of subscriptions' },
  admin: { requests: 240, windowMs: MINUTE, scope: 'ip' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

export function windowWord(name: LimitName): 'minute' | 'hour' {
  return LIMITS[name].windowMs === MINUTE ? 'minute' : 'hour';
}

/** `endpoint` names the request; `advice` follows the sentence. */
export function budgetSpent(
  name: LimitName,
  {
    endpoint,
    retryAfter,
    advice = '',
  }: { readonly endpoint: string; readonly retryAfter: number; readonly advice?: string },
): DomainError {
  const { requests: limit, windowMs } = LIMITS[name];
  const message = `Rate limit for ${endpoint} reached: ${limit} per ${windowWord(name)}. Retry in ${retryAfter} s.${advice}`;
  return new DomainError('rate_limited', message, {
    retryAfter,
    budget: { endpoint, limit, windowSeconds: windowMs / SECOND },
  });
}

export const LIMIT_NAMES = Object.keys(LIMITS).filter((name): name is LimitName => name in LIMITS);

const ROWS: Readonly<Record<LimitName, Limit>> = LIMITS;

export const OWN_ORIGIN_ONLY: ReadonlySet<LimitName> = new Set(LIMIT_NAMES.filter((name) => ROWS[name].ownOriginOnly));

export const ROOT_FIELD_LIMITS: ReadonlyMap<string, LimitName> = new Map(
  LIMIT_NAMES.flatMap((name) => (ROWS[name].fields ?? []).map((field) => [field, name])),
);

export const PAGE_SIZES = {
  recentRounds: { default: 10, max: 100 },
  leaderboard: { default: 50, max: 100 },
  models: { default: SHOWN_MODELS, max: SHOWN_MODELS },
  entries: { default: 1000, max: 1000 },
  ownPredictions: { default: 50, max: 100 },
  ownRounds: { default: 168, max: 168 },
  connections: { default: 10, max: 100 },
  history: { default: 200, max: 1000 },
} as const;

export interface PageSize {
  readonly default: number;
  readonly max: number;
}

export const BODY_BYTES = 16 * 1024;

export const JSON_DEPTH = 64;

/** In one process, those of the feed included. */
export const CONNECTIONS_PER_ADDRESS = 5_000;

export const FEED_LIMITS = {
  /** WebSocket and server-sent events together. */
  connectionsPerAddress: 4000,
  /** The other connections remain for sockets with a key. */
  socketsWithoutKeyPerAddress: 2000,
  /** Estimated heap of an address's subscriptions (`src/feed/operation.ts`). */
  keptBytesPerAddress: 4 * 1024 * 1024,
  subscriptionsPerSocket: 50,
  /** Free pings, pongs and `complete` messages of a socket in a minute. */
  controlMessagesPerMinute: 120,
  /** Reading from a socket pauses at this many unprocessed messages. */
  messagesWaiting: 64,
  messageBytes: 64 * 1024,
  unreadBytes: 1024 * 1024,
} as const;

/** For one GraphQL operation, over HTTP and sockets; the standard introspection query passes. */
export const QUERY_LIMITS = {
  tokens: 2_000,
  /** Introspection counts by graphql-js's own rule. */
  depth: 12,
  aliases: 30,
  directives: 30,
  rootFields: 13,
  selections: 2_000,
  /** graphql-js compares each pair of fragments. */
  fragments: 50,
  /** Repeated response names: graphql-js compares each pair of them. */
  repeats: 100,
  /** Fields of the answer; list fields count for each possible item. */
  cost: 10_000,
} as const;

export type QueryLimit = keyof typeof QUERY_LIMITS;

export const QUERY_BYTES = 128 * 1024;

export const MAX_AMENDMENTS = 8;

export const MAX_CHANGES = 500;

/** Maximum id of rounds, agents and operators' actions. */
export const MAX_ID = 2 ** 31 - 1;

/** JSON numbers are exact everywhere up to this. */
export const MAX_PREDICTION_ID = Number.MAX_SAFE_INTEGER;

/** The timeout of one SQL statement of an API request, in real milliseconds. */
export const STATEMENT_MS = 3_000;

/** The timeout of all database waits of a request, or of one operation on a socket, in real milliseconds. */
export const ANSWER_MS = 4_000;

export const SEARCH_HOURS = 168;

export const EXPORT_STATEMENT_MS = 30 * SECOND;
