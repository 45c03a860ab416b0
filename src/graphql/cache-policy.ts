import { OperationTypeNode } from 'graphql';

import type { Dependency } from '../http/kept-answers.ts';
import { type LimitName, ROOT_FIELD_LIMITS } from '../limits.ts';
import type { CompiledOperation } from './operation.ts';
import type { Selection, Shape, Values } from './selection.ts';

/** How the answer to an operation is kept that everybody gets who asks without a key. */
export interface CachePolicy {
  readonly dependsOn: readonly Dependency[];
  /** What each of its fields of Query spends, in their order. */
  readonly limits: readonly { readonly limit: LimitName; readonly asked: string }[];
}

/** What all but a few answers depend on: rounds and results, the predictions of open rounds, agents, and the time. */
const DEFAULT_DEPENDENCIES = ['events', 'entries', 'agents', 'second'] as const satisfies readonly Dependency[];

/** Fields of Query that everybody without a key sees alike, and what their values depend on with all that hangs on them. */
const DEPENDENCIES: Readonly<Record<string, readonly Dependency[]>> = {
  currentRound: DEFAULT_DEPENDENCIES,
  nextRound: DEFAULT_DEPENDENCIES,
  schedule: ['events', 'second'],
  round: DEFAULT_DEPENDENCIES,
  rounds: DEFAULT_DEPENDENCIES,
  predictions: DEFAULT_DEPENDENCIES,
  agent: DEFAULT_DEPENDENCIES,
  agents: DEFAULT_DEPENDENCIES,
  leaderboard: DEFAULT_DEPENDENCIES,
  stats: DEFAULT_DEPENDENCIES,
  market: ['prices'],
  __schema: [],
  __type: [],
  __typename: [],
};

/** Fields whose values change without a message, several times a minute: documents that ask for them are executed each time. */
const VOLATILE_FIELDS = new Set(['reference', 'quotes', 'referenceBasis', 'evidence', 'agreedCandles']);

const LIMITS = new Map<string, LimitName>(Object.entries(ROOT_FIELD_LIMITS));

/** The policy of an operation with these variables, worked out once for each selection; null: it is executed each time. */
export type CachePolicyOf = (operation: CompiledOperation, variables: Values) => CachePolicy | null;

export function cachePolicies(): CachePolicyOf {
  const known = new WeakMap<Selection, CachePolicy | null>();
  return (operation, variables) => {
    if (operation.type !== OperationTypeNode.QUERY) return null;
    const selection = operation.selected(variables);
    const found = known.get(selection);
    if (found !== undefined) return found;
    const policy = policyFor(selection);
    known.set(selection, policy);
    return policy;
  };
}

function policyFor({ fields }: Selection): CachePolicy | null {
  const names = fields.map(({ definition }) => definition.name);
  const dependsOn = names.map((name) => DEPENDENCIES[name]);
  if (dependsOn.includes(undefined) || fields.some(({ shape }) => asksForVolatile(shape))) return null;
  const limits = names.flatMap((asked) => {
    const limit = LIMITS.get(asked);
    return limit === undefined ? [] : [{ limit, asked }];
  });
  return { dependsOn: [...new Set(dependsOn.flatMap((each) => each ?? []))], limits };
}

function asksForVolatile(shape: Shape): boolean {
  if (shape.kind === 'list') return asksForVolatile(shape.item);
  if (shape.kind === 'leaf') return false;
  return shape.selection.fields.some(
    ({ definition, shape: inner }) => VOLATILE_FIELDS.has(definition.name) || asksForVolatile(inner),
  );
}
