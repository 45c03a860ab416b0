import { GraphQLError, OperationTypeNode } from 'graphql';

import type { LimitName } from '../limits.ts';
import type { Cost } from './cost.ts';
import type { CompiledOperation } from './operation.ts';
import type { Values } from './selection.ts';

export interface Payer {
  admit(limit: LimitName, endpoint?: string, uses?: number): Promise<void>;
}

/** Charges a query's cost to its address; throws `RATE_LIMITED`. Mutations and introspection have own budgets. */
export async function payFor(context: Payer, operation: CompiledOperation, variables: Values): Promise<void> {
  if (operation.type !== OperationTypeNode.QUERY) return;
  if (operation.selected(variables).fields.every(({ definition }) => definition.name.startsWith('__'))) return;
  const cost = operation.cost(variables);
  if (cost !== null) await context.admit('queryCost', 'query cost', cost.used);
}

export function costOrExcess(operation: CompiledOperation, variables: Values): Cost | GraphQLError | null {
  try {
    return operation.cost(variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
