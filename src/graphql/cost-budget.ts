import { OperationTypeNode } from 'graphql';

import type { Context } from '../resolvers/context.ts';
import type { CompiledOperation } from './operation.ts';
import type { Selection, Values } from './selection.ts';

/**
 * Takes what a query costs from the budget of its caller's address, before it is executed; by coerced variables. Throws
 * `RATE_LIMITED`. Mutations and what asks for the schema alone have budgets of their own, and subscriptions pay as they run.
 */
export async function payFor(
  context: Pick<Context, 'admit'>,
  operation: CompiledOperation,
  variables: Values,
): Promise<void> {
  if (operation.type !== OperationTypeNode.QUERY || asksForSchemaAlone(operation.selected(variables))) return;
  const cost = operation.cost(variables);
  if (cost !== null) await context.admit('queryCost', 'query cost', cost.used);
}

function asksForSchemaAlone({ fields }: Selection): boolean {
  return fields.every(({ definition }) => definition.name.startsWith('__'));
}
