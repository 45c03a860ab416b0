import { OperationTypeNode } from 'graphql';

import type { Dependency, Spending } from '../http/answer-cache.ts';
import { ROOT_FIELD_LIMITS } from '../limits.ts';
import type { CompiledOperation } from './operation.ts';
import { type Selection, selectionsBelow, type Values } from './selection.ts';

export interface CachePolicy {
  readonly dependsOn: readonly Dependency[];
  readonly spends: readonly Spending[];
}

/** Fields not listed are never cached. `second`: late figures and the ends of reservations send no event. */
const DEPENDENCIES: Readonly<Record<string, readonly Dependency[]>> = {
  currentRound: ['events', 'second'],
  nextRound: ['events', 'second'],
  schedule: ['events', 'second'],
  round: ['events', 'second'],
  rounds: ['events', 'second'],
  predictions: ['events', 'second'],
  agent: ['events', 'second'],
  agents: ['events', 'second'],
  me: ['events'],
  leaderboard: ['events', 'second'],
  leaderboardArchive: ['events', 'second'],
  stats: ['events', 'second'],
  records: ['events', 'second'],
  forecastRecord: ['events', 'second'],
  benchmark: ['events', 'second'],
  models: ['events', 'second'],
  market: ['prices'],
  candles: ['second'],
  changes: [],
};

/** Agents change objects of these types without an event. */
const CHANGED_BY_AGENTS = new Set(['Agent', 'Prediction', 'Round', 'Stats']);

/** Values change without a message, several times a minute: documents with these fields are not cached. */
const VOLATILE_FIELDS = new Set([
  'reference',
  'latestReference',
  'quotes',
  'referenceBasis',
  'evidence',
  'agreedCandles',
]);

const OF_CALLER = new Set(['me', 'viewer', 'ownRounds', 'ownLimits', 'webhook', 'receipt', 'predictionProof']);

export function isOfCaller({ fields }: Selection): boolean {
  return fields.some(({ definition }) => OF_CALLER.has(definition.name));
}

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

function policyFor(selection: Selection): CachePolicy | null {
  const spends = selection.fields.flatMap(({ definition: { name: asked } }) => {
    const limit = ROOT_FIELD_LIMITS.get(asked);
    return limit === undefined ? [] : [{ limit, asked }];
  });
  if (isOfCaller(selection)) return null;
  const below = [...selectionsBelow(selection)].flatMap(({ fields }) => fields);
  if (below.some(({ definition }) => VOLATILE_FIELDS.has(definition.name))) return null;
  const dependsOn = dependenciesOf(selection);
  return dependsOn && { dependsOn, spends };
}

export function dependenciesOf(selection: Selection): readonly Dependency[] | null {
  const ofFields = selection.fields.map(({ definition: { name } }) =>
    name.startsWith('__') ? [] : DEPENDENCIES[name],
  );
  if (ofFields.includes(undefined)) return null;
  const byAgents = [...selectionsBelow(selection)].some(({ type }) => CHANGED_BY_AGENTS.has(type.name));
  return [...new Set([...ofFields.flatMap((each) => each ?? []), ...(byAgents ? (['entries'] as const) : [])])];
}
