import { GraphQLError, type GraphQLFormattedError } from 'graphql';

import { costOrExcess, type Payer, payFor } from './cost-budget.ts';
import type { Documents } from './documents.ts';
import type { ExecutionAnswer } from './execution.ts';
import type { CoercedVariables, CompiledOperation } from './operation.ts';

/** These names cannot be written otherwise, so no parsing is needed. */
export function asksForSchema(document: string): boolean {
  return /\b__(schema|type)\b/.test(document);
}

interface OperationRequest {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

export interface CheckedOperation {
  readonly operation: CompiledOperation;
  /** Execution reports those that do not fit. */
  readonly variables: CoercedVariables;
  pay(context: Payer): Promise<void>;
  execute(context: unknown): Partial<ExecutionAnswer> | Promise<ExecutionAnswer>;
}

export interface DocumentTransport {
  readonly check: (sent: OperationRequest) => CheckedOperation | readonly GraphQLError[];
  readonly format: (error: GraphQLError) => GraphQLFormattedError;
}

export function documentChecks(documents: Documents): DocumentTransport['check'] {
  return ({ query, operationName, variables: given }) => {
    const found = documents.check(query);
    if (!('document' in found)) return found;
    const operation = found.operation(operationName);
    if (operation === null)
      return [new GraphQLError('A document must have one operation, or operationName must name one of its own.')];
    const variables = operation.coerce(given ?? {});
    const { coerced, errors } = variables;
    if (!coerced) return { operation, variables, pay: async () => {}, execute: () => ({ errors }) };
    const cost = costOrExcess(operation, coerced);
    if (cost instanceof GraphQLError) return [cost];
    return {
      operation,
      variables,
      pay: (context) => payFor(context, operation, coerced),
      execute: (context) => operation.execute({ context, variables: coerced }),
    };
  };
}
