import { readFile, writeFile } from 'node:fs/promises';

import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import { buildSchema, parse, printSchema } from 'graphql';

const SCHEMA = new URL('../schema.graphql', import.meta.url);
const TYPES = new URL('../src/resolvers/schema-types.ts', import.meta.url);

/** What resolvers hand on for a type, where that is not the type itself. */
const mappers = {
  Agent: './agent-rows.ts#AgentRow',
  Round: '../entities/round.ts#Round as RoundEntity',
  RoundAsset: '../entities/round-asset.ts#RoundAsset as RoundAssetEntity',
  Evidence: '../entities/candle.ts#Candle as CandleEntity',
  AgreedCandle: '../entities/agreed-candle.ts#AgreedCandle as AgreedCandleEntity',
  HistoryPoint: './histories.ts#ChartPoint',
  Prediction: './prediction-rows.ts#PredictionRow',
  Standing: './standings.ts#WindowStanding',
  Stats: './stats.ts#StatsFigures',
  Leaderboard: './leaderboard.ts#Board',
  LeaderboardRow: './leaderboard.ts#RankedStanding',
  Activation: './activation.ts#ActivationResult',
  Event: './subscriptions.ts#FeedEvent',
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
