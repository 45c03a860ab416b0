import { OperationTypeNode } from 'graphql';

import type { Dependency, LimitUse } from '../http/answer-cache.ts';
import { madeOnceFor } from '../in-flight.ts';
import { ROOT_FIELD_LIMITS } from '../limits.ts';
import type { CompiledOperation } from './operation.ts';
import { type Selection, selectionsBelow, type Values } from './selection.ts';

interface CachePolicy {
  readonly dependsOn: readonly Dependency[];
  readonly spends: readonly LimitUse[];
}

/** The fields of Query whose answers are cached. Any other field is executed for each request. */
const CACHED = new Set([
  'currentRound',
  'nextRound',
  'schedule',
  'round',
  'rounds',
  'predictions',
  'agent',
  'agents',
  'me',
  'leaderboard',
  'leaderboardArchive',
  'stats',
  'records',
  'forecastRecord',
  'benchmark',
  'models',
  'market',
  'candles',
  'changes',
]);

/** Each cached answer depends on these. `second`: late figures and the ends of reservations send no event. */
const ALWAYS: readonly Dependency[] = ['events', 'second'];

/** Objects of these types also change without an event, within a second: by agents, or by the market. */
const BY_TYPE = new Map<string, Dependency>([
  ['Agent', 'entries'],
  ['Prediction', 'entries'],
  ['Round', 'entries'],
  ['Stats', 'entries'],
  ['Market', 'prices'],
]);

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

/** Null if the answer is not cached. */
export function cachePolicyOf(operation: CompiledOperation, variables: Values): CachePolicy | null {
  return operation.type === OperationTypeNode.QUERY ? policyFor(operation.selected(variables)) : null;
}

const policyFor = madeOnceFor((selection: Selection): CachePolicy | null => {
  const spends = selection.fields.flatMap(({ definition: { name: endpoint } }) => {
    const limit = ROOT_FIELD_LIMITS.get(endpoint);
    return limit === undefined ? [] : [{ limit, endpoint }];
  });
  if (isOfCaller(selection)) return null;
  const below = [...selectionsBelow(selection)].flatMap(({ fields }) => fields);
  if (below.some(({ definition }) => VOLATILE_FIELDS.has(definition.name))) return null;
  const dependsOn = dependenciesOf(selection);
  return dependsOn && { dependsOn, spends };
});

/** Null if a field is never cached. */
export function dependenciesOf(selection: Selection): readonly Dependency[] | null {
  const names = selection.fields.map(({ definition }) => definition.name);
  if (!names.every((name) => CACHED.has(name) || name.startsWith('__'))) return null;
  const byType = [...selectionsBelow(selection)].flatMap(({ type }) => BY_TYPE.get(type.name) ?? []);
  return [...new Set([...ALWAYS, ...byType])];
}
