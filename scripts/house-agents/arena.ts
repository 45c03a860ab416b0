import { z } from 'zod';

import { ASSETS } from '../../src/rules/assets.ts';
import { OPERATORS, QUESTION_TYPES } from '../../src/rules/questions/question.ts';

const REGISTERED = z.object({ api_key: z.string() });
const CURRENT = z.object({
  round: z.nullable(
    z.object({
      id: z.int(),
      question: z.string(),
      question_type: z.enum(QUESTION_TYPES),
      choices: z.array(z.string()),
      params: z.object({
        subject: z.nullable(z.enum(ASSETS)),
        operator: z.nullable(z.enum(OPERATORS)),
        threshold_pct: z.nullable(z.number()),
        n: z.nullable(z.int()),
      }),
      assets: z.record(z.string(), z.string()),
      end_time: z.string(),
    }),
  ),
  time_remaining_seconds: z.number(),
});
const RECENT = z.object({
  rounds: z.array(z.object({ id: z.int(), status: z.string(), outcome: z.nullable(z.string()) })),
});
const BOARD = z.object({
  rankings: z.array(z.object({ name: z.string(), rank: z.int(), total_points: z.number() })),
});
const OWN = z.object({
  agent: z.object({ name: z.string() }),
  recent_predictions: z.array(
    z.object({
      round_id: z.int(),
      prediction: z.string(),
      confidence: z.int(),
      score: z.nullable(z.number()),
      is_correct: z.nullable(z.int()),
    }),
  ),
});
const PRICE = z.object({ price_usd: z.number(), change_1h: z.number() });
const MARKET = z.object({ source: z.string(), assets: z.record(z.enum(ASSETS), PRICE) });
/** Null where picks are sealed. */
const ENTRIES = z.object({ entries: z.array(z.object({ prediction: z.nullable(z.string()) })) });

export type CurrentRound = NonNullable<z.output<typeof CURRENT>['round']>;
export type LastRound = z.output<typeof RECENT>['rounds'][number];
export type Ranking = z.output<typeof BOARD>['rankings'][number];
export type OwnAnswer = z.output<typeof OWN>['recent_predictions'][number];
export type MarketNow = z.output<typeof MARKET>;

/** A refusal, by its status. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;

  constructor(path: string, status: number, text: string) {
    super(`${path} answers ${status}: ${text}`);
    this.status = status;
  }
}

/** The service as house agents see it: over REST, like everybody. */
export interface Arena {
  /** The agent's key. Throws `Refused` with 409 when the name is taken. */
  register(name: string): Promise<string>;
  /** Whether a key holds. */
  knows(key: string): Promise<boolean>;
  current(): Promise<z.output<typeof CURRENT>>;
  market(): Promise<MarketNow>;
  /** What has been answered in a round so far, as far as it is shown. */
  entries(roundId: number): Promise<readonly string[]>;
  predict(key: string, answer: { round_id: number; prediction: string; confidence: number }): Promise<void>;
  /** The round that ended last, if any has. */
  lastRound(): Promise<LastRound | undefined>;
  /** The all-time board's first hundred. */
  leaders(): Promise<readonly Ranking[]>;
  /** Whose key it is, and the agent's newest answers. */
  own(key: string): Promise<z.output<typeof OWN>>;
}

/** Every request ends with `signal`. */
export function arenaAt(url: string, signal: AbortSignal): Arena {
  const ask = async (path: string, { body, key }: { body?: unknown; key?: string } = {}): Promise<unknown> => {
    const response = await fetch(url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal,
    });
    if (!response.ok) throw new Refused(path, response.status, await response.text());
    return response.json();
  };
  return {
    register: async (name) => REGISTERED.parse(await ask('/api/agents/register', { body: { name } })).api_key,
    knows: (key) =>
      ask('/api/me', { key }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refused && error.status === 401) return false;
          throw error;
        },
      ),
    current: async () => CURRENT.parse(await ask('/api/rounds/current')),
    market: async () => MARKET.parse(await ask('/api/data/market')),
    async entries(roundId) {
      const { entries } = ENTRIES.parse(await ask(`/api/rounds/${roundId}/entries`));
      return entries.flatMap(({ prediction }) => prediction ?? []);
    },
    predict: async (key, answer) => void (await ask('/api/predictions', { key, body: answer })),
    lastRound: async () => RECENT.parse(await ask('/api/rounds/recent?limit=1')).rounds[0],
    leaders: async () => BOARD.parse(await ask('/api/leaderboard?period=alltime&limit=100')).rankings,
    own: async (key) => OWN.parse(await ask('/api/me', { key })),
  };
}
