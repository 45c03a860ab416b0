import { readdir, readFile, writeFile } from 'node:fs/promises';

import { codegen } from '@graphql-codegen/core';
import * as typescript from '@graphql-codegen/typescript';
import * as operations from '@graphql-codegen/typescript-operations';
import * as resolvers from '@graphql-codegen/typescript-resolvers';
import {
  buildSchema,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  printSchema,
  separateOperations,
  stripIgnoredCharacters,
} from 'graphql';

import { releasedEntries } from './release/changelog.ts';

const SCHEMA = new URL('../schema.graphql', import.meta.url);
const DOCUMENTS = new URL('../dashboard/documents/', import.meta.url);
const TYPES = new URL('../src/resolvers/schema-types.ts', import.meta.url);

const CHANGELOG = new URL('../CHANGELOG.md', import.meta.url);
const CHANGES = new URL('../src/resolvers/changes.json', import.meta.url);

const MIGRATIONS = new URL('../src/entities/migrations/', import.meta.url);
const MIGRATION_LIST = new URL('index.ts', MIGRATIONS);

/** The resolvers' parent types, where they differ from the schema's types. */
const mappers = {
  Agent: '../reads/plan/agent.ts#AgentRow',
  Round: '../reads/plan/round.ts#RoundRow',
  RoundAsset: '../reads/plan/candles.ts#RoundAssetRow',
  ReferencePoint: '../references/reference-cache.ts#ReadPoint',
  ReferenceBasis: '../rules/grid.ts#ReferenceBasis as StoredBasis',
  Forecast: '../forecasts/shown.ts#ShownForecast',
  ForecastRecord:
    "Omit<ForecastRecord, 'betterAt' | 'worseAt' | 'checkpoints'> & { readonly checkpoints: readonly CheckpointRecord[] }",
  ForecastCheckpoint: '../reads/forecast-record.ts#CheckpointRecord',
  HourCandle: '../market/market.ts#HourCandle as MarketCandle',
  Amendment: '../reads/plan/amendment.ts#AmendmentRow',
  Evidence: '../reads/plan/candles.ts#EvidenceRow',
  AgreedCandle: '../reads/plan/candles.ts#AgreedCandleRow',
  HistoryPoint: '../reads/histories.ts#ChartPoint',
  Prediction: '../reads/plan/prediction.ts#PredictionRow',
  Standing: '../reads/plan/standing.ts#StandingRow',
  Stats: "Omit<Stats, 'calibration' | 'punctuality' | 'skilled'> & { readonly skilled: SkilledCounts | null }",
  Punctuality: '../reads/punctuality.ts#PunctualityFigures',
  Skilled: '../rules/statistics/means.ts#SkilledCounts',
  Leaderboard: '../reads/plan/board.ts#Board',
  LeaderboardRow: '../reads/plan/board.ts#BoardRow',
  Health: "Omit<Health, 'lastSeq'>",
  ArchivedLeaderboard: '../reads/plan/archive.ts#ArchiveRow',
  ArchivedRow: '../entities/archive.ts#ArchivedStanding',
  Records: '../reads/records.ts#ArenaRecords',
  CloseCall: '../rules/close-calls.ts#CloseCall as ClosestRound',
  HeadToHead: '../reads/head-to-head.ts#SharedRecord',
  Registration: '{ readonly agentId: number; readonly apiKey: string }',
  Activation: "{ readonly mode: 'compete'; readonly message: string; readonly at: Date }",
  Event: './context.ts#FeedEvent',
  Webhook: '../reads/plan/webhook.ts#WebhookRow',
};

/** Types of schema.graphql's resolvers, as text. */
export async function schemaTypes(): Promise<string> {
  const types = await codegen({
    filename: 'schema-types.ts',
    schema: await readSchema(),
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
  // Type imports can only be exported as types.
  return types.replaceAll(/^export \{/gm, 'export type {');
}

/** The operations of a file of dashboard/documents, such as `now.graphql`, with their answers' types, as text. */
export async function pageDocuments(file: string): Promise<string> {
  const document = parse(await readFile(new URL(file, DOCUMENTS), 'utf8'));
  const types = await codegen({
    filename: generatedName(file),
    schema: await readSchema(),
    documents: [{ location: file, document }],
    config: {
      enumType: 'string-literal',
      skipTypename: true,
      immutableTypes: true,
      useTypeImports: true,
      strictScalars: true,
      scalars: { DateTime: 'string', JSON: 'Readonly<Record<string, unknown>>' },
    },
    plugins: [{ operations: {} }],
    pluginMap: { operations },
  });
  return ["import type { Document } from '../document.ts';", types, ...operationTexts(document), ''].join('\n');
}

/** The changes of released versions as text, an entry a line. */
export async function changeList(): Promise<string> {
  const entries = releasedEntries(await readFile(CHANGELOG, 'utf8'));
  return `[\n${entries.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`;
}

/** The list of all migrations as text: the first schema, then one file each. Listed ones keep their order. */
export async function migrationList(): Promise<string> {
  const listed = await readFile(MIGRATION_LIST, 'utf8');
  const files = (await readdir(MIGRATIONS)).filter((file) => /^\d{4}-\d\d-\d\d-.*\.ts$/.test(file)).toSorted();
  const placeOf = (file: string): number => listed.indexOf(`name: '${file.slice(0, -'.ts'.length)}'`);
  const known = files.filter((file) => placeOf(file) >= 0).toSorted((one, other) => placeOf(one) - placeOf(other));
  const names = [...known, ...files.filter((file) => placeOf(file) < 0)];
  const migrations = names.map((file) => {
    const name = file.slice(0, -'.ts'.length);
    const words = name.split('-').slice(3);
    return { name, className: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('') };
  });
  return [
    ...migrations.map(({ name, className }) => `import { ${className} } from './${name}.ts';`),
    "import { FIRST_SCHEMA } from './first-schema.ts';",
    '',
    '/** Every migration, in order. A landed one is never changed: add another. */',
    'export const MIGRATIONS = [',
    '  FIRST_SCHEMA,',
    ...migrations.map(({ name, className }) => `  { name: '${name}', class: ${className} },`),
    '];',
    '',
  ].join('\n');
}

async function readSchema(): Promise<DocumentNode> {
  return parse(printSchema(buildSchema(await readFile(SCHEMA, 'utf8'))));
}

/** Files with the page's operations. */
export async function documentFiles(): Promise<string[]> {
  return (await readdir(DOCUMENTS)).filter((name) => name.endsWith('.graphql'));
}

export function generatedName(file: string): string {
  return file.replace(/graphql$/, 'ts');
}

/** Each operation with its fragments, as a constant of its name. */
function operationTexts(source: DocumentNode): string[] {
  return source.definitions.filter(isOperation).map(({ name, operation }) => {
    const one = name?.value ?? '';
    const text = stripIgnoredCharacters(print(separateOperations(source)[one] ?? source));
    const type = `${one}${operation[0]?.toUpperCase() ?? ''}${operation.slice(1)}`;
    return `export const ${one} = ${JSON.stringify(text)} as Document<${type}, ${type}Variables>;`;
  });
}

function isOperation(one: DocumentNode['definitions'][number]): one is OperationDefinitionNode {
  return one.kind === Kind.OPERATION_DEFINITION;
}

if (process.argv[1] === import.meta.filename) {
  await writeFile(TYPES, await schemaTypes());
  await writeFile(CHANGES, await changeList());
  await writeFile(MIGRATION_LIST, await migrationList());
  for (const file of await documentFiles()) {
    await writeFile(new URL(generatedName(file), DOCUMENTS), await pageDocuments(file));
  }
}
