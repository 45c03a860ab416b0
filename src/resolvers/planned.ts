import { defaultFieldResolver, getNamedType, type GraphQLResolveInfo, type GraphQLSchema, isObjectType } from 'graphql';

import type { AgentRow } from '../reads/plan/agent.ts';
import { type PlanSelection, prefetched } from '../reads/plan/plan.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import { columnReader } from '../reads/plan/read-column.ts';
import type { Context } from './context.ts';
import { sealedSelection } from './sealed-picks.ts';

interface ExecutedInfo {
  /** The same object for all rows. */
  readonly selection: PlanSelection;
  readonly isServiceDocument: boolean;
}

export function plannedField({ services: { readJson, picks } }: Context, info: GraphQLResolveInfo) {
  if (!isExecuted(info)) throw new Error(`${info.fieldName} must be executed by src/graphql/execution.ts`);
  const { selection, isServiceDocument } = info;
  return {
    field: picks === 'sealed' ? sealedSelection(selection) : selection,
    read: columnReader(readJson, isServiceDocument ? 'own' : 'callers'),
    isServiceDocument,
  };
}

function isExecuted(info: object): info is ExecutedInfo {
  return 'selection' in info;
}

/** Throws if missing: another row refers to it. */
export async function agentWith(id: number, context: Context, info: GraphQLResolveInfo): Promise<AgentRow> {
  return existingRow(await context.loaders.agent(plannedField(context, info).field.selected).load(id));
}

export async function roundWith(id: number, context: Context, info: GraphQLResolveInfo): Promise<RoundRow> {
  return existingRow(await context.loaders.round(plannedField(context, info).field.selected).load(id));
}

export function existingRow<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row is missing although another one refers to it');
  return row;
}

export function takePrefetched(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType)) {
    for (const field of Object.values(type.getFields()).filter((one) => isObjectType(getNamedType(one.type)))) {
      const resolve = field.resolve ?? defaultFieldResolver;
      field.resolve = (row, args, context, info) => {
        const found = prefetched(row, info.path.key);
        return found === undefined ? resolve(row, args, context, info) : found;
      };
    }
  }
}
