import { readFileSync } from 'node:fs';

import { makeExecutableSchema } from '@graphql-tools/schema';
import { defaultFieldResolver, type GraphQLField, type GraphQLObjectType, type GraphQLSchema } from 'graphql';

import { ROOT_FIELD_LIMITS } from '../limits.ts';
import { checkEach } from '../rules/errors.ts';
import type { Picks } from '../rules/predictions.ts';
import { attachChecks } from './argument-checks.ts';
import { agentResolvers } from './agents.ts';
import { standingResolvers } from './standings.ts';
import { benchmarkResolvers } from './benchmarks.ts';
import { changeResolvers } from './changes.ts';
import { breakdownResolvers } from './breakdowns.ts';
import type { Context } from './context.ts';
import { leaderboardResolvers } from './leaderboard.ts';
import { forecastResolvers } from './forecasts.ts';
import { logResolvers } from './log.ts';
import { marketResolvers } from './market-data.ts';
import { ownLimitResolvers } from './own-limits.ts';
import { takePrefetched } from './planned.ts';
import { predictionResolvers } from './predictions.ts';
import { referenceResolvers } from './references.ts';
import { registrationResolvers } from './registration.ts';
import { roundResolvers } from './rounds.ts';
import { dateTime, int, json } from './scalars.ts';
import { sealFields } from './sealed-picks.ts';
import { platformResolvers } from './platform.ts';
import { defaultAnswerResolvers } from './default-answers.ts';
import { submissionResolvers } from './submission.ts';
import { subscriptionResolvers } from './subscriptions.ts';
import { webhookResolvers } from './webhooks.ts';

const SCHEMA_FILE = new URL('../../schema.graphql', import.meta.url);

/** By area: types such as Query and Round have fields in several. */
const RESOLVERS = [
  agentResolvers,
  roundResolvers,
  predictionResolvers,
  leaderboardResolvers,
  benchmarkResolvers,
  breakdownResolvers,
  forecastResolvers,
  referenceResolvers,
  marketResolvers,
  platformResolvers,
  changeResolvers,
  logResolvers,
  ownLimitResolvers,
  standingResolvers,
  registrationResolvers,
  submissionResolvers,
  defaultAnswerResolvers,
  webhookResolvers,
  subscriptionResolvers,
];

export function makeSchema(picks: Picks = 'open'): GraphQLSchema {
  const schema = makeExecutableSchema({
    typeDefs: readFileSync(SCHEMA_FILE, 'utf8'),
    resolvers: [...RESOLVERS, { DateTime: dateTime, JSON: json, Int: int }],
  });
  // graphql-tools takes a scalar's description from its resolver, which has none.
  for (const type of Object.values(schema.getTypeMap())) type.description ??= type.astNode?.description?.value;
  attachChecks(schema);
  sealFields(schema, picks);
  takePrefetched(schema);
  for (const root of [schema.getQueryType(), schema.getMutationType()]) if (root) limitFields(root);
  publishChanges(schema);
  return schema;
}

/** Runs after the commit and before the answer, so that callers see their own changes in later answers. */
function publishChanges(schema: GraphQLSchema): void {
  for (const [name, field] of Object.entries(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (resolve === undefined) continue;
    field.resolve = async (root, args, context: Context, info) => {
      context.beginMutation();
      const result: unknown = await resolve(root, args, context, info);
      context.services.publish(name.endsWith('Webhook') ? 'webhooks' : 'entries');
      return result;
    };
  }
}

/** Each use of a root field, also under an alias, first spends its endpoint's budget. */
function limitFields(root: GraphQLObjectType): void {
  for (const [name, field] of Object.entries(root.getFields())) {
    const limit = ROOT_FIELD_LIMITS.get(name);
    if (limit === undefined) throw new Error(`The root field ${name} must be in the fields of one row of LIMITS`);
    const resolve = field.resolve ?? defaultFieldResolver;
    const isChecked = field.args.some(({ extensions }) => extensions.check !== undefined);
    field.resolve = async (root_, args, context: Context, info) => {
      if (!context.caller.alreadyCounted) await context.admit(limit, name);
      const refusal = isChecked ? refusalOf(field, args) : null;
      if (refusal !== null) {
        await context.authenticate(limit, name);
        // A submission refused here never reaches the code that counts refusals.
        if (name === 'submitPrediction' && args['dryRun'] !== true)
          context.countRefusal(args['roundId'], refusal.error);
        throw refusal.error;
      }
      return resolve(root_, args, context, info);
    };
  }
}

function refusalOf({ args }: GraphQLField<unknown, Context>, values: Readonly<Record<string, unknown>>) {
  try {
    checkEach(args, ({ name, extensions }) => values[name] != null && extensions.check?.(values[name]));
    return null;
  } catch (error) {
    return { error };
  }
}
