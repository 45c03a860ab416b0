import { type DocumentNode, execute, type ExecutionArgs, type ExecutionResult, GraphQLError } from 'graphql';

import type { CompiledDocument } from './compiled-document.ts';
import type { Context } from '../resolvers/context.ts';
import { type CostMeter, payFor } from './cost.ts';
import type { KnownDocuments } from './known-documents.ts';

/** A document as a client sends it, with what comes along. */
interface Sent {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The checks and the execution of a transport that has none of its own, the same as over HTTP. */
export function documentTransport(documents: KnownDocuments, meter: CostMeter) {
  const compiled = new WeakMap<DocumentNode, CompiledDocument>();
  return {
    /** The document parsed, or what is wrong with it. */
    check: ({ query, operationName, variables }: Sent): DocumentNode | readonly GraphQLError[] => {
      const found = documents.check(query);
      if (!('document' in found)) return found;
      try {
        meter({ document: found.document, operationName, variables });
      } catch (error) {
        if (error instanceof GraphQLError) return [error];
        throw error;
      }
      compiled.set(found.document, found);
      return found.document;
    },
    /** Takes what a checked query costs from its address's budget. Throws `RATE_LIMITED`. */
    pay: async (context: Pick<Context, 'admit'>, { document, operationName, variableValues }: ExecutionArgs) => {
      const operation = compiled.get(document)?.operation(operationName);
      const variables = operation?.coerced(variableValues ?? {});
      if (operation && variables) await payFor(context, { type: operation.type, cost: operation.cost(variables) });
    },
    /** What graphql-js's `execute` does, of a document that was checked. */
    execute: (args: ExecutionArgs): ExecutionResult | Promise<ExecutionResult> => {
      const operation = compiled.get(args.document)?.operation(args.operationName);
      const variables = operation?.coerced(args.variableValues ?? {});
      if (!operation || !variables) return execute(args);
      return operation.execute({ context: args.contextValue, variables, rootValue: args.rootValue });
    },
  };
}
