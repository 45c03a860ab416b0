import { HOUR, MINUTE } from './rules/hours.ts';

/** Whose requests are counted together. */
type Scope = 'ip' | 'agent';

interface Limit {
  /** Requests in a window. */
  readonly requests: number;
  /** Length of the window in real milliseconds, counted from its first request. */
  readonly windowMs: number;
  readonly scope: Scope;
}

/** The limits of spec section 8, one row an endpoint, and of what is beyond the spec. Scope `agent` means that the endpoint needs a key. */
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
  evidence: { requests: 120, windowMs: MINUTE, scope: 'ip' },
  exports: { requests: 10, windowMs: MINUTE, scope: 'ip' },
  /** The operators' doors that take a token, tried with a right or a wrong one; their page asks a lot. */
  admin: { requests: 240, windowMs: MINUTE, scope: 'ip' },
} as const satisfies Record<string, Limit>;

export type LimitName = keyof typeof LIMITS;

/** The budget that each root field of the schema spends: the one of the endpoint that it stands behind. */
export const ROOT_FIELD_LIMITS = {
  currentRound: 'currentRound',
  nextRound: 'currentRound',
  schedule: 'currentRound',
  round: 'results',
  rounds: 'recentRounds',
  predictions: 'recentRounds',
  agent: 'agent',
  agents: 'agent',
  leaderboard: 'leaderboard',
  me: 'me',
  market: 'market',
  stats: 'stats',
  health: 'health',
  register: 'register',
  submitPrediction: 'predictions',
  rotateKey: 'rotateKey',
  activate: 'activate',
  events: 'currentRound',
  roundUpdated: 'currentRound',
  leaderboardUpdated: 'leaderboard',
  marketUpdated: 'market',
} as const satisfies Record<string, LimitName>;

/** How long the lists are: when nothing is asked for, and at the most. */
export const PAGE_SIZES = {
  recentRounds: { usual: 10, most: 100 },
  leaderboard: { usual: 50, most: 100 },
  entries: { usual: 1000, most: 1000 },
  /** Pages of a connection that has no endpoint behind it. */
  connections: { usual: 10, most: 100 },
  /** Points of a chart. */
  history: { usual: 200, most: 1000 },
} as const;

export interface PageSize {
  readonly usual: number;
  readonly most: number;
}

/** The largest body that a REST endpoint reads. */
export const BODY_BYTES = 16 * 1024;

/** Bounds of the live feed, for each of its connections. */
export const FEED_LIMITS = {
  /** Open connections of one address, WebSocket and server-sent events together. */
  connectionsPerAddress: 4000,
  subscriptionsPerSocket: 50,
  /** The largest message that a client may send. */
  messageBytes: 64 * 1024,
  /** What a client may leave unread before it is closed. */
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
  /** Fields of Query or Mutation, aliases too. */
  rootFields: 10,
  /** Selections once every fragment is spread out. */
  selections: 2_000,
  /** Fields that the answer may hold: those in a list count once for each item that it may have. */
  cost: 10_000,
} as const;

export type QueryLimit = keyof typeof QUERY_LIMITS;

/** The largest body of a GraphQL request over HTTP. */
export const QUERY_BYTES = 128 * 1024;

/** How long one SQL statement of an API request may take, in real milliseconds. */
export const STATEMENT_MS = 3_000;

/** How long a request, or one operation on a socket, may wait for the database in all, in real milliseconds. */
export const ANSWER_MS = 4_000;

/** The arguments that size a list, and the most that any field takes for them: what asks for more is refused anyhow. */
export const SIZE_ARGUMENTS = { first: 100, limit: 1_000, points: 1_000, hours: 168 } as const;

/** How long the lists are at the most that take no size. Lists of plain values count as one. */
export const LIST_BOUNDS: Readonly<Record<string, number>> = {
  'Agent.recentPredictions': 20,
  'Calibration.bins': 10,
  'Crowd.answers': 8,
  'Health.sources': 3,
  'Market.assets': 8,
  'Round.agreedCandles': 8,
  'Round.assets': 8,
  'Round.evidence': 24,
};

/** Fields that cost more than 1, because each of them takes a statement of its own. */
export const FIELD_COSTS: Readonly<Record<string, number>> = {
  'Agent.calibration': 20,
  'Agent.pnlHistory': 20,
  'Agent.pointsHistory': 20,
  'Agent.predictions': 5,
  'Agent.recentPredictions': 20,
  'Agent.roundsCompeted': 5,
  'Query.predictions': 20,
  'Query.__schema': 500,
  'Query.__type': 100,
  'Round.crowd': 2,
  'Round.entries': 20,
  'Round.predictions': 5,
  'Round.results': 20,
  'Stats.calibration': 5,
};

/** Bounds of the exports, beside their row in LIMITS. */
export const EXPORT_LIMITS = {
  /** Exports under way, over all callers. */
  atOnce: 4,
  /** What one that is refused for that is told. */
  retryAfterSeconds: 10,
  /** Rows that are in memory at a time. */
  rowsAtOnce: 1_000,
  /** How long a client may read nothing before it is cut off, in real milliseconds. */
  idleMs: MINUTE,
} as const;
