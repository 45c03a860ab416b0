import type { DocumentNode, GraphQLSchema } from 'graphql';

import { type Cost, costMeter } from '../../src/graphql/cost.ts';
import { compiledDocument } from '../../src/graphql/operation.ts';

interface CostedRequest {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The cost of a valid document; null where its variables do not fit. Throws when it is too much. */
export function documentCost(schema: GraphQLSchema): (request: CostedRequest) => Cost | null {
  const meter = costMeter(schema);
  return ({ document, operationName, variables }) => {
    const operation = compiledDocument(schema, document, meter).operation(operationName);
    const { coerced } = operation?.coerce(variables ?? {}) ?? {};
    return (coerced && operation?.cost(coerced)) ?? null;
  };
}
