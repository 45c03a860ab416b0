import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { type ComplexityEstimator, getComplexity } from 'graphql-query-complexity';

import { QUERY_LIMITS } from '../limits.ts';
import { overLimit } from './document-limits.ts';
import { fieldWeights, type Weight } from './field-weights.ts';

/** What a query costs, as the answer has it in `extensions.cost`. */
export interface Cost {
  readonly used: number;
  readonly most: number;
  readonly left: number;
}

/** A valid document and what comes with it. */
interface DocumentRequest {
  readonly document: DocumentNode;
  readonly operationName?: string | null | undefined;
  readonly variables?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * The cost of an operation; null where the variables do not fit, which execution reports better. Throws `GraphQLError`
 * (400) when it costs too much.
 */
export type CostMeter = (request: DocumentRequest) => Cost | null;

/** Weighs the schema's fields once. Throws when a list of the schema is not bounded. */
export function costMeter(schema: GraphQLSchema): CostMeter {
  const estimator = estimatorOf(fieldWeights(schema));
  return ({ document, operationName, variables }) => {
    const operation = getOperationAST(document, operationName);
    if (!operation || !variablesFit(schema, operation, variables ?? {})) return null;
    const exact = complexity(() =>
      getComplexity({
        schema,
        query: document,
        estimators: [estimator],
        variables: { ...variables },
        ...(operation.name ? { operationName: operation.name.value } : {}),
        maxQueryNodes: QUERY_LIMITS.selections + 1,
      }),
    );
    const used = Math.ceil(exact);
    if (used > QUERY_LIMITS.cost) throw overLimit('cost', used);
    return { used, most: QUERY_LIMITS.cost, left: QUERY_LIMITS.cost - used };
  };
}

function estimatorOf(weights: ReadonlyMap<string, Weight>): ComplexityEstimator {
  return ({ type, field, args, childComplexity }) => {
    if (field.name === '__typename') return 1;
    const weight = weights.get(`${type.name}.${field.name}`);
    return weight && weight.own(args) + weight.times(args) * childComplexity;
  };
}

function variablesFit(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
): boolean {
  return getVariableValues(schema, variableDefinitions ?? [], variables, { maxErrors: 1 }).errors === undefined;
}

/** The library throws without a place in the document when it has seen too many selections, and at nothing else. */
function complexity(compute: () => number): number {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (error.nodes === undefined) throw overLimit('selections', QUERY_LIMITS.selections + 1);
    throw new GraphQLError(error.message, {
      nodes: error.nodes,
      extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
    });
  }
}
