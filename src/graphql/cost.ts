import type { GraphQLSchema } from 'graphql';

import { QUERY_LIMITS } from '../limits.ts';
import { overLimit } from './document-limits.ts';
import { fieldWeights, type Weight } from './field-weights.ts';
import { argsOf } from './resolve-info.ts';
import { type Selection, selectionIn, type Values } from './selection.ts';

/** Variables are coerced. Throws `GraphQLError` (400) when the cost is too high. */
export type CostMeter = ReturnType<typeof costMeter>;

export type Cost = ReturnType<CostMeter>;

/** Weighs the schema's fields once. Throws for an unbounded list. */
export function costMeter(schema: GraphQLSchema) {
  const weights = fieldWeights(schema);
  return (selection: Selection, variables: Values) => {
    const used = Math.ceil(costOf(selection, weights, variables));
    if (used > QUERY_LIMITS.cost) throw overLimit('cost', used);
    return { used, most: QUERY_LIMITS.cost, left: QUERY_LIMITS.cost - used };
  };
}

function costOf({ fields }: Selection, weights: ReadonlyMap<string, Weight>, variables: Values): number {
  const costs = fields.map((field) => {
    const weight = weights.get(`${field.parentType.name}.${field.definition.name}`);
    if (weight === undefined) return 1;
    const args = argsOf({ variables, args: [] }, field);
    const inner = selectionIn(field.shape);
    return weight.own(args, inner) + weight.times(args) * (inner === null ? 0 : costOf(inner, weights, variables));
  });
  return costs.reduce((sum, cost) => sum + cost, 0);
}
