import { z } from 'zod';

import { figuresOf } from '../../market/figures.ts';
import { ASSETS } from '../../rules/assets.ts';
import { VOID_REASONS } from '../../rules/round-states.ts';
import type { DecidedRound } from './decided-round.ts';
import { INSTANT } from './instants.ts';
import { type ServiceClient, TooCostly } from './service-client.ts';
import { CannotVerify } from '../settings.ts';

const RESULT = z.object({
  id: z.int(),
  submittedAt: INSTANT,
  setAt: INSTANT.nullable().default(null),
  edge: z.number().nullable(),
  contribution: z.number().nullable(),
  peerScore: z.number().nullable(),
  arenaEdge: z.number().nullable(),
});

const AGREED = z.object({
  symbol: z.enum(ASSETS),
  hourStart: INSTANT,
  ...figuresOf(() => z.string()),
});

const EVIDENCE = z.object({
  symbol: z.enum(ASSETS),
  source: z.string(),
  hourStart: INSTANT,
  ...figuresOf(() => z.string().nullable()),
  bodyHash: z.string().nullable(),
  counted: z.boolean(),
  leftOut: z.string().nullable(),
});

const NUMBERS = z.array(z.array(z.number()));

const QUOTES = z.object({ points: z.array(z.int()), prices: NUMBERS, highs: NUMBERS, lows: NUMBERS });

const BASIS = z.object({
  covariance: NUMBERS.transform((rows) => rows.flat()),
  signBefore: z.union([z.literal(-1), z.literal(0), z.literal(1)]).nullable(),
});

const VECTOR = z
  .array(z.object({ probability: z.number() }))
  .transform((rows) => rows.map(({ probability }) => probability));

const REFERENCE = z.object({ at: INSTANT, known: z.boolean(), probabilities: VECTOR });

const FORECAST = z.object({
  minute: z.int(),
  recordedAt: INSTANT,
  entries: z.int(),
  decidedUntil: INSTANT,
  unpriced: z.array(z.int()),
  probabilities: VECTOR,
  price: VECTOR,
  crowd: VECTOR.nullable(),
  priceWeight: z.number(),
  candidates: z.array(
    z.object({ name: z.string(), probabilities: VECTOR, weight: z.number(), brier: z.number().nullable() }),
  ),
  brier: z.number().nullable(),
  priceBrier: z.number().nullable(),
});

const CROWD = z.object({
  n: z.int(),
  meanConfidence: z.number().nullable(),
  answers: z.array(z.record(z.string(), z.unknown())),
});

const AMENDMENT = z.object({
  amendedAt: INSTANT,
  fromEvidence: z.boolean(),
  outcome: z.string().nullable(),
  voidReason: z.enum(VOID_REASONS).nullable(),
  previousOutcome: z.string().nullable(),
  previousVoidReason: z.enum(VOID_REASONS).nullable(),
  evidence: z.array(EVIDENCE),
  agreedCandles: z.array(AGREED),
});

const DETAILS = z.object({
  id: z.int(),
  amendments: z.array(AMENDMENT),
  assets: z.array(z.object({ symbol: z.enum(ASSETS), highUsd: z.number().nullable(), lowUsd: z.number().nullable() })),
  crowd: CROWD,
  difficulty: z.number().nullable(),
  agreedCandles: z.array(AGREED),
  evidence: z.array(EVIDENCE),
  quotes: QUOTES,
  referenceBasis: BASIS.nullable(),
  reference: z.array(REFERENCE),
  forecasts: z.array(FORECAST),
  results: z.array(RESULT),
});

export type RoundDetails = z.infer<typeof DETAILS>;
export type EvidenceCandle = z.infer<typeof EVIDENCE>;
export type PublishedForecast = z.infer<typeof FORECAST>;
export type Result = z.infer<typeof RESULT>;

const FIGURES = 'open: openUsd high: highUsd low: lowUsd close: closeUsd volume';
const AGREED_FIELDS = `{ symbol hourStart ${FIGURES} }`;
const EVIDENCE_FIELDS = `{ symbol source hourStart ${FIGURES} bodyHash counted leftOut }`;
const RESULT_FIELDS = '{ id submittedAt setAt edge contribution peerScore arenaEdge }';

const SEVERAL = `query ($from: DateTime!, $to: DateTime!, $first: Int!, $entries: Int!) {
  rounds(first: $first, orderBy: OLDEST, status: [resolved, void], from: $from, to: $to) { nodes {
    id
    assets { symbol highUsd lowUsd }
    difficulty
    crowd { n meanConfidence answers { answer n share meanConfidence } }
    agreedCandles ${AGREED_FIELDS}
    evidence ${EVIDENCE_FIELDS}
    amendments { amendedAt fromEvidence outcome voidReason previousOutcome previousVoidReason
      agreedCandles ${AGREED_FIELDS} evidence ${EVIDENCE_FIELDS} }
    quotes { points prices highs lows }
    referenceBasis { covariance signBefore }
    reference(points: 48) { at known probabilities { probability } }
    forecasts { minute recordedAt entries decidedUntil unpriced probabilities { probability } price { probability }
      crowd { probability } priceWeight candidates { name probabilities { probability } weight brier } brier priceBrier }
    results(limit: $entries) ${RESULT_FIELDS}
  } } }`;

const MORE_RESULTS = `query ($id: Int!, $after: Int!) {
  round(id: $id) { results(limit: 1000, after: $after) ${RESULT_FIELDS} } }`;

const MAX_ROUNDS = 100;
/** Less than a page, so that one round fits within a query's cost. */
const MAX_RESULTS = 700;

export async function readDetails(
  client: ServiceClient,
  rounds: readonly DecidedRound[],
): Promise<ReadonlyMap<number, RoundDetails>> {
  const found = new Map<number, RoundDetails>();
  let maxRounds = MAX_ROUNDS;
  let waiting = rounds.toSorted((one, other) => one.start_time.getTime() - other.start_time.getTime());
  while (waiting.length > 0) {
    const batch = waiting.slice(0, maxRounds);
    try {
      for (const details of await readSeveral(client, batch)) found.set(details.id, details);
    } catch (error) {
      if (!(error instanceof TooCostly) || maxRounds === 1) throw error;
      maxRounds = Math.max(1, Math.floor((maxRounds * error.limit.most) / error.limit.found));
      continue;
    }
    if (!batch.some(({ id }) => found.has(id))) throw new CannotVerify(`Round ${batch[0]?.id} is not in the graph.`);
    waiting = waiting.filter(({ id }) => !found.has(id));
  }
  for (const { id, total_entries: entries } of rounds) {
    const details = found.get(id);
    if (details !== undefined) await readMoreResults(client, details, entries);
  }
  return found;
}

async function readSeveral(client: ServiceClient, batch: readonly DecidedRound[]): Promise<readonly RoundDetails[]> {
  const entries = Math.max(1, ...batch.map((round) => round.total_entries));
  const variables = {
    from: batch.at(0)?.start_time,
    to: batch.at(-1)?.end_time,
    first: batch.length,
    entries: Math.min(MAX_RESULTS, entries),
  };
  const shape = z.object({ rounds: z.object({ nodes: z.array(DETAILS) }) });
  return (await client.query(SEVERAL, variables, shape)).rounds.nodes;
}

async function readMoreResults(client: ServiceClient, { id, results }: RoundDetails, entries: number): Promise<void> {
  const known = new Set(results.map((one) => one.id));
  while (results.length >= MAX_RESULTS && results.length < entries) {
    const shape = z.object({ round: z.object({ results: z.array(RESULT) }) });
    const { round } = await client.query(MORE_RESULTS, { id, after: results.at(-1)?.id }, shape);
    results.push(...round.results);
    // A repeated result is a finding; pages after it could go on without end.
    if (round.results.length === 0 || round.results.some((one) => known.has(one.id))) return;
    for (const one of round.results) known.add(one.id);
  }
}
