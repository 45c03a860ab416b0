import { GraphQLError, OperationTypeNode } from 'graphql';

import type { LimitName } from '../limits.ts';
import type { Cost } from './cost.ts';
import type { CompiledOperation } from './operation.ts';
import type { Selection, Values } from './selection.ts';

/** Whose address pays. */
export interface Payer {
  admit(limit: LimitName, asked?: string, uses?: number): Promise<void>;
}

/**
 * Takes what a query costs from the budget of its caller's address, before it is executed; by coerced variables. Throws
 * `RATE_LIMITED`. Mutations and what asks for the schema alone have budgets of their own, and subscriptions pay as they run.
 */
export async function payFor(context: Payer, operation: CompiledOperation, variables: Values): Promise<void> {
  if (operation.type !== OperationTypeNode.QUERY || asksForSchemaAlone(operation.selected(variables))) return;
  const cost = operation.cost(variables);
  if (cost !== null) await context.admit('queryCost', 'query cost', cost.used);
}

function asksForSchemaAlone({ fields }: Selection): boolean {
  return fields.every(({ definition }) => definition.name.startsWith('__'));
}

/** What an operation costs with these variables, which are coerced; or the refusal of one that costs too much. */
export function costOrExcess(operation: CompiledOperation, variables: Values): Cost | GraphQLError | null {
  try {
    return operation.cost(variables);
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}
