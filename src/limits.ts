import { SHOWN_MODELS } from './rules/breakdowns.ts';
import { HOUR, MINUTE, SECOND } from './rules/hours.ts';

/** Whose requests are counted together. */
type Scope = 'ip' | 'agent';

interface Limit {
  /** Requests in a window. */
  readonly requests: number;
  /** Length of the window in real milliseconds, counted from its first request. */
  readonly windowMs: number;
  readonly scope: Scope;
}

/** The limits of spec section 8, one row an endpoint in its order, and behind them those of what is beyond the spec. Scope `agent` means that the endpoint needs a key. */
export const LIMITS = {
  register: { requests: 3, windowMs: HOUR, scope: 'ip' },
  me: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  rotateKey: { requests: 3, windowMs: HOUR, scope: 'agent' },
  activate: { requests: 5, windowMs: HOUR, scope: 'agent' },
  currentRound: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  predictions: { requests: 30, windowMs: HOUR, scope: 'agent' },
  results: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  entries: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  recentRounds: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  leaderboard: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  agent: { requests: 60, windowMs: MINUTE, scope: 'ip' },
  market: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  stats: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  health: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  candles: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  evidence: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  round: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  upcomingRounds: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  schedule: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  calendar: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  agentByName: { requests: 60, windowMs: MINUTE, scope: 'ip' },
  ownPredictions: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  ownRounds: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  reference: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  forecast: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  roundForecast: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  forecastRecord: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  benchmark: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  briefing: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  standing: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  setStanding: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  clearStanding: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  createWebhook: { requests: 30, windowMs: HOUR, scope: 'agent' },
  webhooks: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  deleteWebhook: { requests: 30, windowMs: HOUR, scope: 'agent' },
  testWebhook: { requests: 30, windowMs: HOUR, scope: 'agent' },
  replayWebhook: { requests: 30, windowMs: HOUR, scope: 'agent' },
  webhookDeliveries: { requests: 30, windowMs: MINUTE, scope: 'agent' },
  serviceKeys: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  updateMe: { requests: 10, windowMs: HOUR, scope: 'agent' },
  models: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  exports: { requests: 10, windowMs: MINUTE, scope: 'ip' },
  /** Requests for `/graphql` and `/mcp`, and messages on sockets, each before it is parsed. */
  graphqlRequest: { requests: 600, windowMs: MINUTE, scope: 'ip' },
  /** Previews of pages, beside what is read for them: drawing one is slow. */
  previews: { requests: 60, windowMs: MINUTE, scope: 'ip' },
  /** Documents that ask for the schema itself, over HTTP and sockets, beside `graphqlRequest`. */
  introspection: { requests: 30, windowMs: MINUTE, scope: 'ip' },
  /**
   * Cost of the queries that are executed, over HTTP, sockets and MCP, beside the budgets of their fields; one use is a point
   * of cost. Answers that are kept ready cost nothing.
   */
  queryCost: { requests: 200_000, windowMs: MINUTE, scope: 'ip' },
  /** Keys that are not known to hold, each before it is looked up. */
  unknownKeys: { requests: 600, windowMs: MINUTE, scope: 'ip' },
  /**
   * Cost of the executions by which subscriptions begin and catch up, and by which they are kept up to date; one use
   * of a budget is a point of cost as a query's is. A month's log with some 50 fields an event fits in.
   */
  subscriptionReplays: { requests: 200_000, windowMs: MINUTE, scope: 'ip' },
  subscriptionUpdates: { requests: 200_000, windowMs: MINUTE, scope: 'ip' },
  /** The admin endpoints, with a right or a wrong token. */
  admin: { requests: 240, windowMs: MINUTE, scope: 'ip' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** What browsers may do for pages of the service's own origin, or one of `CORS_ORIGINS`, alone. All else is open. */
export const OWN_ORIGIN_ONLY: ReadonlySet<LimitName> = new Set([
  'register',
  'rotateKey',
  'activate',
  'updateMe',
  'setStanding',
  'clearStanding',
  'createWebhook',
  'deleteWebhook',
  'testWebhook',
  'replayWebhook',
]);

/** The budget that each root field of the schema spends: the one of the endpoint that it stands behind. */
export const ROOT_FIELD_LIMITS: ReadonlyMap<string, LimitName> = new Map(
  Object.entries<LimitName>({
    currentRound: 'currentRound',
    nextRound: 'currentRound',
    schedule: 'currentRound',
    round: 'results',
    rounds: 'recentRounds',
    predictions: 'recentRounds',
    agent: 'agent',
    agents: 'agent',
    leaderboard: 'leaderboard',
    leaderboardArchive: 'leaderboard',
    leaderboardArchives: 'leaderboard',
    breakdown: 'stats',
    models: 'models',
    forecastRecord: 'forecastRecord',
    benchmark: 'benchmark',
    headToHead: 'agent',
    me: 'me',
    viewer: 'briefing',
    ownRounds: 'ownRounds',
    market: 'market',
    candles: 'candles',
    stats: 'stats',
    health: 'health',
    register: 'register',
    submitPrediction: 'predictions',
    rotateKey: 'rotateKey',
    activate: 'activate',
    setStanding: 'setStanding',
    clearStanding: 'clearStanding',
    webhook: 'webhookDeliveries',
    serviceKeys: 'serviceKeys',
    createWebhook: 'createWebhook',
    deleteWebhook: 'deleteWebhook',
    testWebhook: 'testWebhook',
    replayWebhook: 'replayWebhook',
    updateMe: 'updateMe',
    events: 'currentRound',
    roundUpdated: 'currentRound',
    leaderboardUpdated: 'leaderboard',
    marketUpdated: 'market',
  }),
);

/** Lengths of lists: without a `limit` or `first`, and the longest. */
export const PAGE_SIZES = {
  recentRounds: { default: 10, max: 100 },
  leaderboard: { default: 50, max: 100 },
  models: { default: SHOWN_MODELS, max: SHOWN_MODELS },
  entries: { default: 1000, max: 1000 },
  ownPredictions: { default: 50, max: 100 },
  ownRounds: { default: 168, max: 168 },
  /** Pages of a connection that has no endpoint behind it. */
  connections: { default: 10, max: 100 },
  /** Points of a chart. */
  history: { default: 200, max: 1000 },
} as const;

export interface PageSize {
  readonly default: number;
  readonly max: number;
}

/** The largest body that a REST endpoint reads. */
export const BODY_BYTES = 16 * 1024;

/** The deepest nesting of JSON from callers. */
export const JSON_DEPTH = 64;

/** Open connections of one address to a process, those of the feed among them. */
export const CONNECTIONS_PER_ADDRESS = 5_000;

/** Bounds of the live feed, for each of its connections. */
export const FEED_LIMITS = {
  /** Open connections of one address, WebSocket and server-sent events together. */
  connectionsPerAddress: 4000,
  /** Sockets of one address that gave no key: the other connections remain for those that have one. */
  socketsWithoutKeyPerAddress: 2000,
  /** Heap that the subscriptions of one address may keep, by estimate (`src/feed/operation.ts`). */
  keptBytesPerAddress: 4 * 1024 * 1024,
  subscriptionsPerSocket: 50,
  /** Pings, pongs and `complete` messages of a socket in a minute, beside the budget of its address. */
  controlMessagesPerMinute: 120,
  /** Unprocessed messages of a socket; at this many, reading from it pauses. */
  messagesWaiting: 64,
  /** The largest message that a client may send. */
  messageBytes: 64 * 1024,
  /** Unread bytes at which a socket is closed. */
  unreadBytes: 1024 * 1024,
} as const;

/** What one GraphQL operation may ask for, over HTTP and over the socket; the standard introspection query passes. */
export const QUERY_LIMITS = {
  /** Lexical tokens of the document. */
  tokens: 2_000,
  /** Fields inside fields; introspection counts by graphql-js's own rule. */
  depth: 12,
  aliases: 30,
  directives: 30,
  /** Fields of Query or Mutation, aliases too: one for each question type. What they may cost together is bounded by itself. */
  rootFields: 13,
  /** Selections once every fragment is spread out. */
  selections: 2_000,
  /** Fragments that the document defines: each of them is compared with each other one. */
  fragments: 50,
  /** Fields that come again at the same place of the answer: those of one place are compared with each other. */
  repeats: 100,
  /** Fields that the answer may hold: those in a list count once for each item that it may have. */
  cost: 10_000,
} as const;

export type QueryLimit = keyof typeof QUERY_LIMITS;

/** The largest body of a GraphQL request over HTTP. */
export const QUERY_BYTES = 128 * 1024;

/** Answers that are kept ready (`src/http/answer-cache.ts`), over all addresses that they are asked under. */
export const ANSWER_CACHE = {
  /** Bodies, addresses and what they cost beside. */
  bytes: 64 * 1024 * 1024,
  /** What an answer takes beside its body and its address, in bytes. */
  overhead: 2048,
  /** The largest body that is kept as text as well, which is faster to send. */
  textBytes: 64 * 1024,
  /** How long one is kept whatever it depends on, in real milliseconds; those that never change are kept for good. */
  ms: SECOND,
} as const;

/** So many times a round can be amended. */
export const MOST_AMENDMENTS = 8;

/** The largest id of a round, an agent or an operator's action. */
export const MAX_ID = 2 ** 31 - 1;

/** The largest id of a prediction: the largest whole number up to which JSON's are exact everywhere. */
export const MAX_PREDICTION_ID = Number.MAX_SAFE_INTEGER;

/** How long one SQL statement of an API request may take, in real milliseconds. */
export const STATEMENT_MS = 3_000;

/** How long a request, or one operation on a socket, may wait for the database in all, in real milliseconds. */
export const ANSWER_MS = 4_000;

/** The longest window, in hours, in which everybody's predictions are searched. */
export const SEARCH_HOURS = 168;

/** How long a page of an export may wait for a connection and take, in real milliseconds. */
export const EXPORT_STATEMENT_MS = 30 * SECOND;
