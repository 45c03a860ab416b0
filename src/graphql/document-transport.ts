import { type DocumentNode, type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql';

import type { Context } from '../resolvers/context.ts';
import { payFor } from './cost-budget.ts';
import type { Documents } from './documents.ts';
import { type CompiledDocument, compiledDocument, type CompiledOperation } from './operation.ts';

/** A document as a client sends it, with what comes along. */
interface Sent {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The checks and the execution of a transport that has none of its own, the same as over HTTP. */
export function documentTransport(schema: GraphQLSchema, documents: Documents) {
  const compiled = new WeakMap<DocumentNode, CompiledDocument>();
  const compiledOf = (document: DocumentNode): CompiledDocument => {
    const found = compiled.get(document) ?? compiledDocument(schema, document);
    compiled.set(document, found);
    return found;
  };
  return {
    /** The document parsed, or what is wrong with it. */
    check: ({ query, operationName, variables }: Sent): DocumentNode | readonly GraphQLError[] => {
      const found = documents.check(query);
      if (!('document' in found)) return found;
      compiled.set(found.document, found);
      const excess = excessOf(found.operation(operationName), variables ?? {});
      return excess === null ? found.document : [excess];
    },
    /** Takes what a checked query costs from its address's budget. Throws `RATE_LIMITED`. */
    pay: async (context: Pick<Context, 'admit'>, { document, operationName, variableValues }: ExecutionArgs) => {
      const operation = compiledOf(document).operation(operationName);
      const variables = operation?.coerce(variableValues ?? {}).coerced;
      if (operation && variables) await payFor(context, operation, variables);
    },
    /** What graphql-js's `execute` does, of a valid document that has the operation. */
    execute: ({ document, operationName, variableValues, contextValue, rootValue }: ExecutionArgs) => {
      const operation = compiledOf(document).operation(operationName);
      if (operation === null) throw new Error(`The document has no operation ${operationName ?? 'of its own'}`);
      return executed(operation, { given: variableValues ?? {}, context: contextValue, rootValue });
    },
  };
}

/** What is wrong with its cost; null too where the variables do not fit, which the execution reports. */
function excessOf(operation: CompiledOperation | null, given: Readonly<Record<string, unknown>>): GraphQLError | null {
  try {
    const variables = operation?.coerce(given).coerced;
    if (variables) operation?.cost(variables);
    return null;
  } catch (error) {
    if (error instanceof GraphQLError) return error;
    throw error;
  }
}

function executed(
  operation: CompiledOperation,
  { given, ...request }: { given: Readonly<Record<string, unknown>>; context: unknown; rootValue: unknown },
): ExecutionResult | Promise<ExecutionResult> {
  const { coerced, errors } = operation.coerce(given);
  return errors ? { errors } : operation.execute({ ...request, variables: coerced });
}
