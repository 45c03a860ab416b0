import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';

import { costMeter } from './cost.ts';
import { parseDocument } from './parse-document.ts';
import { validateDocument } from './validation-rules.ts';

/** A document as a client sends it, with what comes along. */
export interface Sent {
  readonly query: string;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/** The checks of a transport that has none of its own, the same as over HTTP: the document parsed, or what is wrong. */
export function documentCheck(schema: GraphQLSchema): (sent: Sent) => DocumentNode | readonly GraphQLError[] {
  const meter = costMeter(schema);
  return ({ query, operationName, variables }) => {
    try {
      const document = parseDocument(query);
      const errors = validateDocument(schema, document);
      if (errors.length > 0) return errors;
      meter({ document, operationName, variables });
      return document;
    } catch (error) {
      if (error instanceof GraphQLError) return [error];
      throw error;
    }
  };
}
