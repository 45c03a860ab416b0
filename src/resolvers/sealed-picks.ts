import { defaultFieldResolver, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';

import { madeOnceFor } from '../in-flight.ts';
import { type PlanSelection, fieldsNamed } from '../reads/plan/plan.ts';
import type { PredictionRow } from '../reads/plan/prediction.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import type { Picks } from '../rules/predictions.ts';
import { isOver } from '../rules/round-states.ts';
import type { Context } from './context.ts';

/** An agent's answer: null for others until the round is over. */
const PICK_FIELDS = ['prediction', 'confidence'] as const;

/** The texts of a prediction: null for other agents until the round is over, also if answers are public. */
const WORD_FIELDS = ['rationale', 'rationaleLength', 'model'] as const;

/** Summaries of all answers: null for every caller until the round is over. */
const CROWD_FIELDS = ['crowd', 'crowdHistory', 'forecast', 'forecasts'] as const;

function ownFields(picks: Picks): readonly (keyof PredictionRow)[] {
  return picks === 'sealed' ? [...WORD_FIELDS, ...PICK_FIELDS] : WORD_FIELDS;
}

/** `Type.field` of fields only the owner sees while the round runs: their executions are never shared. */
export function sealedOwnFields(picks: Picks): readonly string[] {
  return ownFields(picks).map((name) => `Prediction.${name}`);
}

/** Hides texts, and sealed answers, from all but their agent until the round is over. Set on the types: on every path. */
export function sealFields(schema: GraphQLSchema, picks: Picks): void {
  for (const field of fieldsOf(schema, 'Prediction', ownFields(picks))) {
    const { resolve = defaultFieldResolver } = field;
    const shown = async (row: PredictionRow, ...rest: ResolverRest) =>
      (await isShown(row, rest[1])) ? resolve(row, ...rest) : null;
    // Most predictions have no text: then no permission is looked up.
    field.resolve = (row: PredictionRow, ...rest: ResolverRest) =>
      Reflect.get(row, field.name) == null ? null : shown(row, ...rest);
  }
  for (const field of fieldsOf(schema, 'Round', picks === 'sealed' ? CROWD_FIELDS : [])) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (round: RoundRow, args, context, info) =>
      isOver(round.status) ? resolve(round, args, context, info) : null;
  }
}

type ResolverRest = [args: object, context: Context, info: GraphQLResolveInfo];

/**
 * Adds each pick's owner, read in the same statement, and lets filters by answer or confidence match no prediction of a
 * round that is not over.
 */
export const sealedSelection = madeOnceFor((field: PlanSelection): PlanSelection => {
  const selected = field.selected.map(sealedSelection);
  const isPick = selected.some(({ name }) => PICK_FIELDS.some((pick) => pick === name));
  const owner = isPick ? OWNER : [];
  return { ...field, args: { ...field.args, sealed: true }, selected: [...selected, ...owner] };
});

const OWNER = fieldsNamed('agentId', 'roundId');

const STATUS = fieldsNamed('status');

/** A status never goes back: a round once read as not over counts as such for the whole request. */
async function isShown(row: PredictionRow, context: Context): Promise<boolean> {
  const { agentId, roundId, leafHash, replayed, dryRun } = row;
  // The answer to its own submission must not wait for the connections of readers.
  if (leafHash !== undefined || replayed || dryRun) return true;
  const round = await context.loaders.round(STATUS).load(roundId);
  return (round !== null && isOver(round.status)) || (await context.viewer())?.id === agentId;
}

function fieldsOf(schema: GraphQLSchema, typeName: string, names: readonly string[]) {
  const type = schema.getType(typeName);
  const fields = isObjectType(type) ? type.getFields() : {};
  return names.map((name) => {
    const field = fields[name];
    if (field === undefined) throw new Error(`The schema has no field ${typeName}.${name} to seal`);
    return field;
  });
}
