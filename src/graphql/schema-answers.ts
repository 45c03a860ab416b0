import { type DocumentNode, GraphQLError, type GraphQLSchema, Kind, OperationTypeNode } from 'graphql';

import { asksForSchema } from '../limits.ts';
import { type CostMeter, costMeter } from './cost.ts';
import { parseDocument, validateDocument } from './document-limits.ts';
import { compiledDocument } from './operation.ts';

/** Answers that are kept. Tools send one of a few documents, letter for letter. */
const MAX_KEPT = 32;

/** The longest document that is kept; the standard ones have some 1,700 characters. */
const LONGEST_KEPT = 8_192;

interface Sent {
  readonly query: string;
  readonly operationName: string | null;
}

/**
 * The whole answer, as JSON, to a document that asks for nothing but the schema: worked out once for each text, since
 * the schema stays as it is. Null for every other document, and for one that is to be refused.
 */
export type SchemaAnswers = (sent: Sent) => string | null;

export function schemaAnswers(schema: GraphQLSchema): SchemaAnswers {
  const meter = costMeter(schema);
  const kept = new Map<string, string>();
  return (sent) => {
    if (sent.query.length > LONGEST_KEPT || !asksForSchema(sent.query)) return null;
    const key = JSON.stringify([sent.operationName, sent.query]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const answer = answerOf(sent, { schema, meter });
    if (answer === null) return null;
    const [oldest] = kept.keys();
    if (kept.size >= MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, answer);
    return answer;
  };
}

function answerOf(sent: Sent, { schema, meter }: { schema: GraphQLSchema; meter: CostMeter }): string | null {
  try {
    const document = parseDocument(sent.query);
    if (!asksForSchemaOnly(document, sent.operationName) || validateDocument(schema, document).length > 0) return null;
    const cost = meter({ document });
    const result = compiledDocument(schema, document).operation(null)?.execute({ context: undefined, variables: {} });
    if (cost === null || result === undefined || result instanceof Promise || result.errors !== undefined) return null;
    return JSON.stringify({ data: result.data, extensions: { cost } });
  } catch (error) {
    // The ordinary path reports what is wrong with it.
    if (error instanceof GraphQLError) return null;
    throw error;
  }
}

const OF_SCHEMA = new Set(['__schema', '__type', '__typename']);

/** Whether all that the document can be answered with follows from the schema alone. */
function asksForSchemaOnly({ definitions }: DocumentNode, operationName: string | null): boolean {
  const [operation, ...more] = definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  if (operation?.operation !== OperationTypeNode.QUERY || more.length > 0) return false;
  if (operationName !== null && operation.name?.value !== operationName) return false;
  return (
    operation.variableDefinitions?.length === 0 &&
    operation.selectionSet.selections.every((one) => one.kind === Kind.FIELD && OF_SCHEMA.has(one.name.value))
  );
}
