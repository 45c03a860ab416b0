import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

import { BROKEN_DOWN_AGENTS, type Dimension, DIMENSION_SIZES, DIMENSIONS } from '../rules/breakdowns.ts';
import { DAY, HOUR } from '../rules/hours.ts';
import { PERIODS, WINDOW_LENGTHS } from '../rules/windows.ts';
import { LIST_BOUNDS, SIZE_ARGUMENTS } from './list-bounds.ts';
import { schemaListLengths } from './schema-list-lengths.ts';
import type { Selection } from './selection.ts';

/** Cost of each item that introspection lists, beside FIELD_COSTS. */
const SCHEMA_ITEM_COST = 2;

/** Costs other than 1: each field needs its own statement, and some read an agent's whole history. */
const FIELD_COSTS: Readonly<Record<string, number>> = {
  'Agent.calibration': 50,
  'Agent.edgeHistory': 50,
  'Agent.pnlHistory': 50,
  'Agent.pointsHistory': 50,
  'Agent.predictions': 5,
  'Agent.recentPredictions': 20,
  'Agent.roundsCompeted': 5,
  'ForecastRecord.betterAt': 20,
  'ForecastRecord.worseAt': 20,
  /** A vector takes some milliseconds on first use. */
  'Prediction.reference': 10,
  'Query.benchmark': 200,
  'Query.candles': 20,
  'RoundAsset.candles': 20,
  'Query.breakdown': 50,
  'Query.forecastRecord': 50,
  'Query.headToHead': 50,
  'Query.predictions': 20,
  'Query.records': 50,
  'Query.__schema': 5_001,
  'Query.__type': 100,
  'Round.crowd': 2,
  'Round.crowdHistory': 2,
  'Round.entries': 20,
  /** Its own statement, and for a running round the prices of all points with predictions. */
  'Round.forecast': 100,
  'Round.forecasts': 5,
  'Round.predictions': 5,
  /** Reads up to 240 points; each selected list has up to 8 numbers per point. */
  'Round.quotes': 200,
  'RoundQuotes.points': 10,
  'RoundQuotes.prices': 100,
  'RoundQuotes.highs': 100,
  'RoundQuotes.lows': 100,
  'Round.latestReference': 10,
  'Round.reference': 100,
  'Round.referenceBasis': 10,
  'ReferenceBasis.covariance': 20,
  'Round.results': 20,
  'Stats.calibration': 5,
  'Stats.punctuality': 5,
};

/** Arguments without an index on predictions: rows that do not match are read and dropped. */
const SEARCH_ARGUMENTS = ['isCorrect', 'minConfidence', 'maxConfidence', 'prediction'] as const;

/** Cost of such a list with any of them, besides its items: about 1 per 30 rows read. */
const SEARCH_COSTS: Readonly<Record<string, number>> = {
  'Agent.predictions': 200,
  'Query.predictions': 1_000,
  'Round.predictions': 50,
};

const RECORDS: ReadonlySet<string> = new Set([
  'Agent.calibration',
  'Agent.edgeHistory',
  'Agent.pnlHistory',
  'Agent.pointsHistory',
  'Query.headToHead',
]);

/** Rounds of a record per cost unit: they are adjacent, while a search looks up each row. */
const ROUNDS_PER_COST = 100;

const WINDOW_ARGUMENT = 'window';

/** The length of `alltime` for costs: a document's cost must not grow from day to day. */
const ALLTIME_MS = 365 * DAY;

const LEADERS_COST = Math.ceil((BROKEN_DOWN_AGENTS * roundsIn('monthly')) / ROUNDS_PER_COST);

const DIMENSIONS_ARGUMENT = 'by';

/** Rows before the first one of a board: a later page sorts all agents of the window. */
const SKIPPED_ARGUMENT = 'after';
const LATER_PAGE_COST = 100;

const BOARDS: ReadonlySet<string> = new Set(['Query.leaderboard', 'Subscription.leaderboardUpdated']);
/** Their own statement, once for all rows of the board. */
const BENCHMARKS_COST = 50;

export function weighs(argument: string): boolean {
  return (
    argument === DIMENSIONS_ARGUMENT ||
    argument === WINDOW_ARGUMENT ||
    argument === SKIPPED_ARGUMENT ||
    Object.hasOwn(SIZE_ARGUMENTS, argument) ||
    SEARCH_ARGUMENTS.some((name) => name === argument)
  );
}

type Arguments = Readonly<Record<string, unknown>>;

export interface Weight {
  /** `inner` is what is selected of it. */
  readonly own: (args: Arguments, inner: Selection | null) => number;
  readonly times: (args: Arguments) => number;
}

type Field = GraphQLField<unknown, unknown>;

const once = (): number => 1;
const FREE: Weight = { own: () => 0, times: once };

/** By `Type.field`: 1 per possible item, 0 for wrappers of pages. Throws for an unbounded list at the start. */
export function fieldWeights(schema: GraphQLSchema): ReadonlyMap<string, Weight> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const wrappers = wrappersAmong(types);
  const weights = new Map<string, Weight>();
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    for (const field of fieldsOf(type)) {
      const path = `${type.name}.${field.name}`;
      weights.set(path, wrappers.has(type) ? FREE : weightOf(field, path));
    }
  }
  for (const [path, weight] of schemaWeights(schema)) weights.set(path, weight);
  for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef]) {
    weights.set(`Query.${field.name}`, { own: ownCost(`Query.${field.name}`), times: once });
  }
  return weights;
}

function weightOf(field: Field, path: string): Weight {
  const own = ownCost(path);
  const size = sizeArgumentOf(field);
  if (size !== null) return { own, times: (args) => sizeAsked(args[size.name], size) };
  if (!isListType(getNullableType(field.type)) || !isCompositeType(getNamedType(field.type)))
    return { own, times: once };
  if (field.args.some(({ name }) => name === DIMENSIONS_ARGUMENT)) return { own, times: groupsAsked };
  const bound = LIST_BOUNDS[path];
  if (bound === undefined) throw new Error(`The list ${path} has neither a size argument nor a row in LIST_BOUNDS`);
  return { own, times: () => bound };
}

function ownCost(path: string): Weight['own'] {
  const plain = FIELD_COSTS[path] ?? 1;
  if (path === 'Query.breakdown') return (args) => plain + (dimensionsIn(args).includes('AGENT') ? LEADERS_COST : 0);
  if (BOARDS.has(path))
    return (args, inner) =>
      plain +
      (Number(args[SKIPPED_ARGUMENT]) > 0 ? LATER_PAGE_COST : 0) +
      (inner?.fields.some(({ definition: { name } }) => name === 'benchmarks') ? BENCHMARKS_COST : 0);
  if (RECORDS.has(path)) return (args) => plain + Math.ceil(roundsIn(args[WINDOW_ARGUMENT]) / ROUNDS_PER_COST);
  const search = SEARCH_COSTS[path] ?? plain;
  return (args) => (SEARCH_ARGUMENTS.some((name) => args[name] != null) ? search : plain);
}

function roundsIn(window: unknown): number {
  const period = PERIODS.find((one) => one === window) ?? 'alltime';
  return (WINDOW_LENGTHS[period] ?? ALLTIME_MS) / HOUR;
}

/** Introspection: lists cost by their mean length in this schema, all else is free. */
function schemaWeights(schema: GraphQLSchema): [string, Weight][] {
  const lengths = schemaListLengths(schema);
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types
    .filter(({ name }) => name.startsWith('__'))
    .flatMap((type) => fieldsOf(type).map(({ name }) => `${type.name}.${name}`))
    .map((path) => {
      const length = lengths.get(path);
      return [path, length === undefined ? FREE : { own: () => length * SCHEMA_ITEM_COST, times: () => length }];
    });
}

function groupsAsked(args: Arguments): number {
  return dimensionsIn(args).reduce((groups, one) => groups * DIMENSION_SIZES[one], 1);
}

function dimensionsIn(args: Arguments): readonly Dimension[] {
  const given = args[DIMENSIONS_ARGUMENT];
  const by = Array.isArray(given) ? given : [];
  return DIMENSIONS.filter((one) => by.includes(one));
}

function sizeArgumentOf(field: Field) {
  for (const [name, max] of Object.entries(SIZE_ARGUMENTS)) {
    const argument = field.args.find((each) => each.name === name);
    if (argument)
      return { name, max, default: typeof argument.defaultValue === 'number' ? argument.defaultValue : max };
  }
  return null;
}

/** Sizes out of bounds cost the nearest bound: the resolver refuses them. */
function sizeAsked(value: unknown, size: { readonly default: number; readonly max: number }): number {
  return Math.min(Math.max(typeof value === 'number' ? value : size.default, 0), size.max);
}

/** Types that only wrap pages: connections, boards, edges and page infos. */
function wrappersAmong(types: readonly GraphQLObjectType[]): ReadonlySet<GraphQLNamedType> {
  const single = types.flatMap(fieldsOf).filter((field) => !isListType(getNullableType(field.type)));
  const users = Map.groupBy(single, ({ type }) => getNamedType(type));
  const isWrapper = (type: GraphQLObjectType): boolean =>
    type.name === 'PageInfo' ||
    type.name.endsWith('Edge') ||
    (users.get(type)?.every((field) => sizeArgumentOf(field) !== null) ?? false);
  return new Set(types.filter(isWrapper));
}

function fieldsOf(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields());
}
