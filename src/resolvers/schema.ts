import { readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  defaultFieldResolver,
  getNamedType,
  GraphQLError,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLInt,
  type GraphQLObjectType,
  GraphQLScalarType,
  type GraphQLSchema,
  Kind,
} from 'graphql';

import type { Change } from '../backplane/backplane.ts';
import { type LimitName, MAX_ID, ROOT_FIELD_LIMITS } from '../limits.ts';
import { checkAgentName, checkWalletAddress } from '../rules/agents.ts';
import { checkEach, quoted, refused } from '../rules/errors.ts';
import { checkConfidence, checkIdempotencyKey, type Picks } from '../rules/predictions.ts';
import { agentFields, agentQueries, historyPointFields } from './agents.ts';
import { standingFields } from './standings.ts';
import { breakdownQueries, headToHeadFields } from './breakdowns.ts';
import type { Context } from './context.ts';
import { archivedRowFields, leaderboardFields, leaderboardQueries, leaderboardRowFields } from './leaderboard.ts';
import { forecastCheckpointFields, forecastFields, forecastQueries } from './forecasts.ts';
import { hourCandleFields, marketQueries } from './market-data.ts';
import { takePrefetched } from './planned.ts';
import { predictionFields, predictionQueries } from './predictions.ts';
import { referenceBasisFields, referencePointFields } from './references.ts';
import { activationFields, registrationFields, registrationMutations } from './registration.ts';
import { agreedCandleFields, evidenceFields, roundAssetFields, roundFields, roundQueries } from './rounds.ts';
import { sealPicks } from './sealed-picks.ts';
import type { Resolvers } from './schema-types.ts';
import { healthFields, platformQueries, skilledFields, statsFields } from './platform.ts';
import { submissionMutations } from './submission.ts';
import { eventFields, subscriptions } from './subscriptions.ts';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    /** Throws the refusal of a value that has the argument's type and is not taken all the same. */
    check?: (value: unknown) => void;
  }
}

const SCHEMA_FILE = new URL('../../schema.graphql', import.meta.url);

const MUST_BE = 'an instant in ISO 8601 with its zone, such as 2026-01-31T12:00:00.000Z';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Instants: `Date` inside, ISO 8601 UTC with milliseconds and `Z` outside. */
const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => instant(value).toISOString(),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

function instant(value: unknown): Date {
  const time = value instanceof Date ? value : typeof value === 'string' && ISO.test(value) ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime()))
    throw new GraphQLError(`DateTime must be ${MUST_BE} (got ${quoted(value)}).`);
  return time;
}

/** Any JSON object, as it is; answers only. */
const json = new GraphQLScalarType<never, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON cannot be used as an input.');
  },
});

const usual = GraphQLInt.toConfig();

/**
 * `Int` of 53 bits: ids of predictions, and totals, outgrow the 32 that GraphQL names. Another type's name would break the
 * documents and the generated code of callers, long before a number does. Arguments that take 32 bits are checked for it.
 */
const int = new GraphQLScalarType<number, number>({
  ...usual,
  serialize: (value) => (isWide(value) ? value : usual.serialize(value)),
  parseValue: (value) => (isWide(value) ? value : usual.parseValue(value)),
  parseLiteral: (node, variables) =>
    node.kind === Kind.INT && isWide(Number(node.value)) ? Number(node.value) : usual.parseLiteral(node, variables),
});

function isWide(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}

const resolvers: Resolvers = {
  DateTime: dateTime,
  JSON: json,
  Query: {
    ...agentQueries,
    ...roundQueries,
    ...predictionQueries,
    ...leaderboardQueries,
    ...breakdownQueries,
    ...forecastQueries,
    ...marketQueries,
    ...platformQueries,
  },
  Mutation: { ...registrationMutations, ...submissionMutations },
  Subscription: subscriptions,
  Event: eventFields,
  Agent: agentFields,
  Round: roundFields,
  RoundAsset: roundAssetFields,
  Evidence: evidenceFields,
  AgreedCandle: agreedCandleFields,
  ReferencePoint: referencePointFields,
  ReferenceBasis: referenceBasisFields,
  Forecast: forecastFields,
  ForecastCheckpoint: forecastCheckpointFields,
  HourCandle: hourCandleFields,
  Prediction: predictionFields,
  Leaderboard: leaderboardFields,
  LeaderboardRow: leaderboardRowFields,
  ArchivedRow: archivedRowFields,
  HeadToHead: headToHeadFields,
  Standing: standingFields,
  Registration: registrationFields,
  Activation: activationFields,
  HistoryPoint: historyPointFields,
  Health: healthFields,
  Stats: statsFields,
  Skilled: skilledFields,
};

/** The executable schema: schema.graphql, its resolvers, and the limits on its root fields. */
export function makeSchema(picks: Picks = 'open'): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readFileSync(SCHEMA_FILE, 'utf8'),
    resolvers: { ...resolvers, Int: int },
  });
  // A scalar's description is taken from its resolver, which has none: the file's counts for these too.
  for (const type of Object.values(schema.getTypeMap())) type.description ??= type.astNode?.description?.value;
  putChecks(schema);
  const limits = new Map<string, LimitName>(Object.entries(ROOT_FIELD_LIMITS));
  if (picks === 'sealed') sealPicks(schema);
  takePrefetched(schema);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) if (root) limitFields(root, limits);
  tellChanges(schema);
  return schema;
}

/** What each mutation changes that others read and of which no event is written. */
const CHANGED_BY: Readonly<Record<keyof Required<Resolvers>['Mutation'], Change | null>> = {
  register: 'agents',
  activate: 'agents',
  submitPrediction: 'entries',
  rotateKey: null,
};

/** After the commit and before the answer, so that whoever has changed something sees it in what is answered next. */
function tellChanges(schema: GraphQLSchema): void {
  const fields = schema.getMutationType()?.getFields() ?? {};
  for (const [name, change] of Object.entries(CHANGED_BY)) {
    const field = fields[name];
    const resolve = field?.resolve;
    if (field === undefined || resolve === undefined || change === null) continue;
    field.resolve = (root, args, context: Context, info) =>
      Promise.resolve(resolve(root, args, context, info)).then((result: unknown) => {
        context.services.tell(change);
        return result;
      });
  }
}

/** Each use of a root field, aliases too, first spends the budget of the endpoint behind which it stands. */
function limitFields(root: GraphQLObjectType, limits: ReadonlyMap<string, LimitName>): void {
  for (const [name, field] of Object.entries(root.getFields())) {
    const limit = limits.get(name);
    if (limit === undefined) throw new Error(`The root field ${name} has no row in ROOT_FIELD_LIMITS`);
    const resolve = field.resolve ?? defaultFieldResolver;
    const isChecked = field.args.some(({ extensions }) => extensions.check !== undefined);
    field.resolve = async (root_, args, context: Context, info) => {
      if (!context.alreadyCounted) await context.admit(limit, name);
      const refusal = isChecked ? refusalOf(field, args) : null;
      if (refusal !== null) {
        await context.authenticate(limit, name);
        throw refusal.error;
      }
      return resolve(root_, args, context, info);
    };
  }
}

/** One error for all arguments that are refused; null where all are taken. */
function refusalOf({ args }: GraphQLField<unknown, Context>, values: Readonly<Record<string, unknown>>) {
  try {
    checkEach(args, ({ name, extensions }) => values[name] != null && extensions.check?.(values[name]));
    return null;
  } catch (error) {
    return { error };
  }
}

type Check = (value: unknown) => void;

type MutationName = keyof Required<Resolvers>['Mutation'];

/**
 * What the rules ask of arguments beyond their types. It is put on the schema's arguments, where REST finds it as well: whoever
 * sends several wrong values is told of all of them at once.
 */
const ARGUMENT_CHECKS: Readonly<Partial<Record<MutationName, Readonly<Record<string, Check>>>>> = {
  register: { name: ofText(checkAgentName), walletAddress: ofText(checkWalletAddress) },
  submitPrediction: { confidence: ofNumber(checkConfidence), idempotencyKey: ofText(checkIdempotencyKey) },
};

/** Puts the checks on the schema's arguments. Throws where there is no such argument. */
function putChecks(schema: GraphQLSchema): void {
  for (const argument of [schema.getQueryType(), schema.getMutationType()].flatMap(idsTaken)) {
    const check = ofNumber((number) => checkId(argument.name, number));
    argument.extensions = { ...argument.extensions, check };
  }
  for (const [name, checks] of Object.entries(ARGUMENT_CHECKS)) {
    const args = schema.getMutationType()?.getFields()[name]?.args ?? [];
    for (const [argument, check] of Object.entries(checks)) {
      const found = args.find((one) => one.name === argument);
      if (found === undefined) throw new Error(`${name} has no argument ${argument} to be checked`);
      found.extensions = { ...found.extensions, check };
    }
  }
}

/** Arguments for ids of rounds and agents: root fields take these, and other whole numbers with bounds of their own. */
function idsTaken(root: GraphQLObjectType | null | undefined): readonly GraphQLArgument[] {
  const args = Object.values(root?.getFields() ?? {}).flatMap((field) => field.args);
  return args.filter(({ type, description }) => getNamedType(type).name === 'Int' && !/ to \d/.test(description ?? ''));
}

function checkId(name: string, id: number): void {
  if (Math.abs(id) > MAX_ID) throw refused(name, `a whole number up to ${MAX_ID}`, id);
}

function ofText(check: (text: string) => void): Check {
  return (value) => typeof value === 'string' && check(value);
}

function ofNumber(check: (number: number) => void): Check {
  return (value) => typeof value === 'number' && check(value);
}
