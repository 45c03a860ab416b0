import { GraphQLError, OperationTypeNode } from 'graphql';

import type { LimitName } from '../limits.ts';
import type { Cost } from './cost.ts';
import type { CompiledOperation } from './operation.ts';
import type { Selection, Values } from './selection.ts';

export interface Payer {
  admit(limit: LimitName, asked?: string, uses?: number): Promise<void>;
}

/**
 * Charges a query's cost to the caller's address before execution; variables are coerced. Throws `RATE_LIMITED`.
 * Mutations and introspection have their own budgets, and subscriptions pay while they run.
 */
export async function payFor(context: Payer, operation: CompiledOperation, variables: Values): Promise<void> {
  if (operation.type !== OperationTypeNode.QUERY || asksForSchemaAlone(operation.selected(variables))) return;
  const cost = operation.cost(variables);
  if (cost !== null) await context.admit('queryCost', 'query cost', cost.used);
}

function asksForSchemaAlone({ fields }: Selection): boolean {
  return fields.every(({ definition }) => definition.name.startsWith('__'));
}

export function costOrExcess(operation: CompiledOperation, variables: Values): Cost | GraphQLError | null {
  try {
    return operation.cost(variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
