import { randomBytes } from 'node:crypto';

import {
  defaultFieldResolver,
  execute,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isObjectType,
  parse,
  validate,
} from 'graphql';

import { noLimiter } from '../../src/backplane/local.ts';
import { errorFormatter } from '../../src/graphql/errors.ts';
import { errorReporter } from '../../src/http/errors.ts';
import { openCrowds } from '../../src/reads/open-crowds.ts';
import { runningForecasts } from '../../src/forecasts/running.ts';
import { referenceCache } from '../../src/references/reference-cache.ts';
import { contexts } from '../../src/resolvers/context.ts';
import { keyLookup, openKnownKeys } from '../../src/resolvers/keys.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { refusalCounts } from '../../src/resolvers/refusals.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { rowsByHand } from '../graphql/rows-by-hand.ts';
import { readTables } from '../graphql/tables.ts';
import { kindBoards } from '../../src/jobs/boards/kind-boards.ts';
import { KINDS } from '../../src/rules/kinds.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import { submissionLookups } from '../../src/resolvers/submission-lookups.ts';
import type { TestService } from './service.ts';

type ByHand = ReturnType<typeof rowsByHand>;

/**
 * graphql-js's own answer on a service's database: fields search whole tables instead of planned reads. The tables are read for
 * each document.
 */
export function byGraphqlJs(service: TestService) {
  const { newEm, statements, clock, market } = service;
  const references = referenceCache({ newEm, market });
  const makeBoards = kindBoards({ newEm, newLongEm: newEm, announce: () => {} });
  let rows: ByHand;
  const schema = makeSchema();
  searchRows(schema, () => rows);
  const newContext = contexts({
    newEm,
    read: (task) => task(newEm()),
    readJson: () => Promise.reject(new Error('graphql-js reads nothing ahead')),
    agentsById: () => Promise.reject(new Error('graphql-js reads no agents together')),
    newSubmissionEm: newEm,
    newRegistrationEm: newEm,
    submissionLookups: submissionLookups({ urgent: statements, submissions: statements }, async () => {}),
    keys: keyLookup(statements),
    knownKeys: openKnownKeys(),
    requests: { note: () => {} },
    clock,
    market,
    limiter: noLimiter,
    covers: new Map(),
    writer: predictionWriter(service.submissions, clock, 0),
    refusals: refusalCounts(statements, clock),
    openCrowds: openCrowds(newEm),
    references,
    forecasts: runningForecasts({ newEm, references }),
    kindBoards: makeBoards,
    publish: () => {},
    reconcile: async () => {},
    randomBytes,
    keyPepper: undefined,
    lockMs: 0,
    picks: 'open',
    webhooks: 'off',
    version: '9.9.9',
  });
  const format = errorFormatter(
    errorReporter(
      (error) => void service.reported.push(error),
      () => {},
    ),
  );
  return async (query: string): Promise<{ data?: unknown; errors?: GraphQLFormattedError[] }> => {
    if (/questionType|asset/.test(query))
      for (const kind of KINDS) for (const period of PERIODS) await makeBoards({ kind, period });
    rows = rowsByHand(await readTables(newEm()), clock.now());
    const document = parse(query);
    const invalid = validate(schema, document);
    if (invalid.length > 0) return { errors: invalid.map(format) };
    const caller = { ip: '127.0.0.1', alreadyCounted: false, authorization: undefined, foreignOrigin: undefined };
    const { data, errors } = await execute({ schema, document, contextValue: newContext(caller) });
    return { ...(errors && { errors: errors.map(format) }), data };
  };
}

// Rows are untyped here: resolvers get what the search returns.
type Search = (rows: ByHand, parent: never, args: never) => unknown;

const SEARCHES: Readonly<Record<string, Readonly<Record<string, Search>>>> = {
  Query: {
    round: (rows, _, { id }: { id: number }) => rows.round(id),
    currentRound: (rows) => rows.currentRound(),
    nextRound: (rows) => rows.nextRound(),
    rounds: (rows, _, args) => rows.rounds(args),
    predictions: (rows, _, args) => rows.predictionsOfAll(args),
    agent: (rows, _, args) => rows.agentNamed(args),
    agents: (rows, _, args) => rows.agentsFor(args),
    leaderboard: (rows, _, args) => rows.board(args),
  },
  Round: {
    assets: (rows, { id }: Id) => rows.ofRound('roundAssets', id, ({ position }) => [position]),
    evidence: (rows, { id }: Id) =>
      rows.ofRound('candles', id, ({ hourStart, asset, source }) => [hourStart, asset, source]),
    agreedCandles: (rows, { id }: Id) =>
      rows.ofRound('agreedCandles', id, ({ hourStart, asset }) => [hourStart, asset]),
    // Compared documents have none.
    amendments: () => [],
    predictions: (rows, { id }: Id, args) => rows.predictionsOfRound(id, args),
    entries: (rows, { id }: Id, args) => rows.entries(id, args),
    results: (rows, round, args) => rows.results(round, args),
  },
  Prediction: {
    agent: (rows, { agentId }: { agentId: number }) => rows.agent(agentId),
    round: (rows, { roundId }: { roundId: number }) => rows.round(roundId),
  },
  Agent: {
    predictions: (rows, { id }: Id, args) => rows.predictionsOfAgent(id, args),
    recentPredictions: (rows, { id }: Id) => rows.predictionsOfAgent(id, { first: 20 }).nodes,
    standing: (rows, { id }: Id, { period }: { period: string }) => rows.standing(id, period),
  },
  LeaderboardRow: { agent: (rows, { agentId }: { agentId: number }) => rows.agent(agentId) },
  HistoryPoint: {
    at: (rows, { roundId }: { roundId: number }) => rows.round(roundId)?.endTime,
    round: (rows, { roundId }: { roundId: number }) => rows.round(roundId),
  },
};

interface Id {
  readonly id: number;
}

/** If a search finds nothing, the field's own resolver returns the reason. */
function searchRows(schema: GraphQLSchema, rows: () => ByHand): void {
  for (const [typeName, searches] of Object.entries(SEARCHES)) {
    const type = schema.getType(typeName);
    for (const [name, search] of Object.entries(searches)) {
      const field = isObjectType(type) ? type.getFields()[name] : undefined;
      if (field === undefined) throw new Error(`The schema has no field ${typeName}.${name}`);
      const own = name === 'results' ? (field.resolve ?? defaultFieldResolver) : () => null;
      field.resolve = (...given) => Reflect.apply(search, null, [rows(), ...given]) ?? own(...given);
    }
  }
}
