import { readFile, writeFile } from 'node:fs/promises';

import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { buildSchema, parse, printSchema } from 'graphql';

const SCHEMA = new URL('../schema.graphql', import.meta.url);
const TYPES = new URL('../src/resolvers/schema-types.ts', import.meta.url);

/** What resolvers hand on for a type, where that is not the type itself. */
const mappers = {
  Agent: '../reads/agents.ts#AgentRow',
  Round: '../entities/round.ts#Round as RoundEntity',
  RoundAsset: '../entities/round-asset.ts#RoundAsset as RoundAssetEntity',
  ReferencePoint: '../references/kept-references.ts#ReadPoint',
  ReferenceBasis: '../rules/grid.ts#ReferenceBasis as StoredBasis',
  HourCandle: '../market/market.ts#HourCandle as MarketCandle',
  Evidence: '../entities/candles.ts#Candle as CandleEntity',
  AgreedCandle: '../entities/candles.ts#AgreedCandle as AgreedCandleEntity',
  HistoryPoint: '../reads/histories.ts#ChartPoint',
  Prediction: '../reads/predictions.ts#PredictionRow',
  Standing: '../reads/agents.ts#WindowStanding',
  Stats: '../reads/stats.ts#StatsFigures',
  Skilled: '../rules/statistics/many-agents.ts#Skilled as SkilledCounts',
  Leaderboard: '../reads/board.ts#Board',
  LeaderboardRow: '../reads/board.ts#RankedStanding',
  ArchivedLeaderboard: '../entities/archive.ts#Archive',
  ArchivedRow: '../entities/archive.ts#ArchivedStanding',
  HeadToHead: '../reads/head-to-head.ts#SharedRecord',
  Activation: './context.ts#ActivationResult',
  Event: './context.ts#FeedEvent',
};

/** TypeScript types of schema.graphql's resolvers, as text. */
export async function schemaTypes(): Promise<string> {
  const text = await readFile(SCHEMA, 'utf8');
  return codegen({
    filename: 'schema-types.ts',
    schema: parse(printSchema(buildSchema(text))),
    documents: [],
    config: {
      enumsAsTypes: true,
      useTypeImports: true,
      strictScalars: true,
      immutableTypes: true,
      scalars: { DateTime: { input: 'Date', output: 'Date | string' }, JSON: 'Readonly<Record<string, unknown>>' },
      contextType: './context.ts#Context',
      mappers,
    },
    plugins: [{ typescript: {} }, { resolvers: {} }],
    pluginMap: { typescript, resolvers },
  });
}

if (import.meta.main) await writeFile(TYPES, await schemaTypes());
