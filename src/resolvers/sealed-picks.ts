import { defaultFieldResolver, getNamedType, type GraphQLField, type GraphQLSchema, isObjectType } from 'graphql';

import type { Round } from '../entities/round.ts';
import type { Wanted } from '../reads/nested.ts';
import type { PredictionRow } from '../reads/predictions.ts';
import { isOver } from '../rules/round-states.ts';
import type { Context } from './context.ts';

/** What an agent answered: null for others until the round is over. */
const PICK_FIELDS = ['prediction', 'confidence'] as const;

/** What all answered together: null for everybody until the round is over. */
const CROWD_FIELDS = ['crowd', 'crowdHistory'] as const;

/** `Type.field` of what its owner alone sees while the round runs, so that no execution is shared between viewers. */
export const SEALED_OWN_FIELDS: ReadonlySet<string> = new Set(PICK_FIELDS.map((name) => `Prediction.${name}`));

/**
 * Seals the answers of rounds that are not over, for everybody but the agent that gave them. It stands on the types, so
 * that it holds on every path of the schema, and lists of predictions cannot be narrowed by what they do not show.
 */
export function sealPicks(schema: GraphQLSchema): void {
  for (const field of fieldsOf(schema, 'Prediction', PICK_FIELDS)) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = async (row: PredictionRow, args, context: Context, info) =>
      (await isShown(row, context)) ? resolve(row, args, context, info) : null;
  }
  for (const field of fieldsOf(schema, 'Round', CROWD_FIELDS)) {
    const { resolve = defaultFieldResolver } = field;
    field.resolve = (round: Round, args, context, info) =>
      isOver(round.status) ? resolve(round, args, context, info) : null;
  }
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()).filter(listsPredictions)) {
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (parent, args, context, info) => resolve(parent, { ...args, sealed: true }, context, info);
    }
  }
}

/** The same for what is read together in one statement: whose a pick is is read with it, and lists are narrowed as above. */
export function sealedWanted(wanted: Wanted): Wanted {
  const selected = wanted.selected.map(sealedWanted);
  const isPick = selected.some(({ name }) => PICK_FIELDS.some((pick) => pick === name));
  const owner = isPick ? ['agentId', 'roundId'].map(plainField) : [];
  return { ...wanted, args: { ...wanted.args, sealed: true }, selected: [...selected, ...owner] };
}

function plainField(name: string): Wanted {
  return { key: name, name, args: {}, selected: [] };
}

/** A round's status only goes on: one that was read as not over at any moment of the request is so for all of it. */
async function isShown({ agentId, roundId }: PredictionRow, context: Context): Promise<boolean> {
  const { status } = await context.loaders.round.load(roundId);
  return isOver(status) || (await context.viewer())?.id === agentId;
}

function listsPredictions({ type, args }: GraphQLField<unknown, unknown>): boolean {
  return getNamedType(type).name === 'PredictionConnection' && args.some(({ name }) => name === 'minConfidence');
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
