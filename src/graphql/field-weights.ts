import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
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

/** What each type, field, argument and value that introspection lists costs, beside the row in FIELD_COSTS. */
const SCHEMA_ITEM_COST = 2;

/** Fields that cost more than 1: each takes a statement of its own, and some read an agent's whole history. */
const FIELD_COSTS: Readonly<Record<string, number>> = {
  'Agent.calibration': 50,
  'Agent.edgeHistory': 50,
  'Agent.pnlHistory': 50,
  'Agent.pointsHistory': 50,
  'Agent.predictions': 5,
  'Agent.recentPredictions': 20,
  'Agent.roundsCompeted': 5,
  /** A vector takes some milliseconds when it is first worked out. */
  'Prediction.reference': 10,
  'Query.benchmark': 200,
  'Query.candles': 20,
  'RoundAsset.candles': 20,
  'Query.breakdown': 50,
  'Query.forecastRecord': 50,
  'Query.headToHead': 50,
  'Query.predictions': 20,
  /** More than half of a query's cost: only one fits. */
  'Query.__schema': 5_001,
  'Query.__type': 100,
  'Round.crowd': 2,
  'Round.crowdHistory': 2,
  'Round.entries': 20,
  /** A statement of its own, and of the running round the prices at all points at which something was said. */
  'Round.forecast': 100,
  'Round.forecasts': 5,
  'Round.predictions': 5,
  /** Up to 240 points are read whole; each list that is shown of them has up to 8 numbers a point. */
  'Round.quotes': 200,
  'RoundQuotes.points': 10,
  'RoundQuotes.prices': 100,
  'RoundQuotes.highs': 100,
  'RoundQuotes.lows': 100,
  'Round.latestReference': 10,
  'Round.reference': 100,
  /** Its 64 numbers count apart. */
  'Round.referenceBasis': 10,
  'ReferenceBasis.covariance': 20,
  'Round.results': 20,
  'Stats.calibration': 5,
  'Stats.punctuality': 5,
};

/** Arguments for which a list of predictions has no index: what does not fit is read and left out. */
const SEARCH_ARGUMENTS = ['isCorrect', 'minConfidence', 'maxConfidence', 'prediction'] as const;

/** What such a list costs with any of them, beside its items: some 1 for each 30 rows that it may read. */
const SEARCH_COSTS: Readonly<Record<string, number>> = {
  'Agent.predictions': 200,
  'Query.predictions': 1_000,
  'Round.predictions': 50,
};

/** Fields that read an agent's record in a window: they cost more by its rounds. */
const RECORDS: ReadonlySet<string> = new Set([
  'Agent.calibration',
  'Agent.edgeHistory',
  'Agent.pnlHistory',
  'Agent.pointsHistory',
  'Query.headToHead',
]);

/** How many rounds of a record may be read for 1: they stand side by side, where a search looks up each of its rows. */
const ROUNDS_OF_COST = 100;

const WINDOW_ARGUMENT = 'window';

/** For how many rounds all of time counts: a document must not cost more from day to day. */
const ALLTIME_MS = 365 * DAY;

/** What a breakdown costs beside its groups that reads the records of the first of a board over at most a month. */
const LEADERS_COST = Math.ceil((BROKEN_DOWN_AGENTS * roundsIn('monthly')) / ROUNDS_OF_COST);

/** The argument of a list that has a row for each value of what it names. */
const DIMENSIONS_ARGUMENT = 'by';

/** Whether what a field costs depends on its argument of this name. */
export function weighs(argument: string): boolean {
  return (
    argument === DIMENSIONS_ARGUMENT ||
    argument === WINDOW_ARGUMENT ||
    Object.hasOwn(SIZE_ARGUMENTS, argument) ||
    SEARCH_ARGUMENTS.some((name) => name === argument)
  );
}

type Arguments = Readonly<Record<string, unknown>>;

/** What one use of a field costs. */
export interface Weight {
  /** The field itself, once, given its arguments. */
  readonly own: (args: Arguments) => number;
  /** How many times what is asked of it comes, given its arguments. */
  readonly times: (args: Arguments) => number;
}

type Field = GraphQLField<unknown, unknown>;

const once = (): number => 1;
const FREE: Weight = { own: () => 0, times: once };

/**
 * The weight of every field of the schema, by `Type.field`. A field counts 1, in a list once for each item that the
 * list may hold; the wrappers of pages count nothing. Throws for a list whose length nothing bounds: that stops the
 * start.
 */
export function fieldWeights(schema: GraphQLSchema): ReadonlyMap<string, Weight> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const wrappers = wrappersAmong(types);
  const weights = new Map<string, Weight>();
  for (const type of types.filter(({ name }) => !name.startsWith('__'))) {
    for (const field of fieldsOf(type)) {
      const place = `${type.name}.${field.name}`;
      weights.set(place, wrappers.has(type) ? FREE : weightOf(field, place));
    }
  }
  for (const [place, weight] of schemaWeights(schema)) weights.set(place, weight);
  for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef]) {
    weights.set(`Query.${field.name}`, { own: ownCost(`Query.${field.name}`), times: once });
  }
  return weights;
}

function weightOf(field: Field, place: string): Weight {
  const own = ownCost(place);
  const size = sizeArgumentOf(field);
  if (size !== null) return { own, times: (args) => sizeAsked(args[size.name], size) };
  if (!isListOfObjects(field.type)) return { own, times: once };
  if (field.args.some(({ name }) => name === DIMENSIONS_ARGUMENT)) return { own, times: groupsAsked };
  const bound = LIST_BOUNDS[place];
  if (bound === undefined) throw new Error(`The list ${place} has neither a size argument nor a row in LIST_BOUNDS`);
  return { own, times: () => bound };
}

/** A search reads what it leaves out, too: so it costs more than a list without filters. A record costs more by its length. */
function ownCost(place: string): (args: Arguments) => number {
  const plain = FIELD_COSTS[place] ?? 1;
  if (place === 'Query.breakdown') return (args) => plain + (dimensionsIn(args).includes('AGENT') ? LEADERS_COST : 0);
  if (RECORDS.has(place)) return (args) => plain + Math.ceil(roundsIn(args[WINDOW_ARGUMENT]) / ROUNDS_OF_COST);
  const search = SEARCH_COSTS[place] ?? plain;
  return (args) => (SEARCH_ARGUMENTS.some((name) => args[name] != null) ? search : plain);
}

/** How many rounds a window may hold, one an hour. */
function roundsIn(window: unknown): number {
  const period = PERIODS.find((one) => one === window) ?? 'alltime';
  return (WINDOW_LENGTHS[period] ?? ALLTIME_MS) / HOUR;
}

/** Introspection: its lists cost by how long they are in this schema on the average, all else in it is free. */
function schemaWeights(schema: GraphQLSchema): [string, Weight][] {
  const lengths = schemaListLengths(schema);
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  return types
    .filter(({ name }) => name.startsWith('__'))
    .flatMap((type) => fieldsOf(type).map(({ name }) => `${type.name}.${name}`))
    .map((place) => {
      const length = lengths.get(place);
      return [place, length === undefined ? FREE : { own: () => length * SCHEMA_ITEM_COST, times: () => length }];
    });
}

/** A breakdown has as many groups as its dimensions have values, all together. */
function groupsAsked(args: Arguments): number {
  return dimensionsIn(args).reduce((groups, one) => groups * DIMENSION_SIZES[one], 1);
}

function dimensionsIn(args: Arguments): readonly Dimension[] {
  const asked = args[DIMENSIONS_ARGUMENT];
  const by = Array.isArray(asked) ? asked : [];
  return DIMENSIONS.filter((one) => by.includes(one));
}

interface SizeArgument {
  readonly name: string;
  readonly default: number;
  readonly max: number;
}

function sizeArgumentOf(field: Field): SizeArgument | null {
  for (const [name, max] of Object.entries(SIZE_ARGUMENTS)) {
    const argument = field.args.find((each) => each.name === name);
    if (argument)
      return { name, max, default: typeof argument.defaultValue === 'number' ? argument.defaultValue : max };
  }
  return null;
}

/** A size outside the bounds costs as little or as much as the resolver would do at the most: it refuses the rest. */
function sizeAsked(value: unknown, size: SizeArgument): number {
  return Math.min(Math.max(typeof value === 'number' ? value : size.default, 0), size.max);
}

/** What only holds a page together: connections, boards, edges and page infos. */
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

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}
