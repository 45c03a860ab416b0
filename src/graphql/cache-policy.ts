import { OperationTypeNode } from 'graphql';

import type { Dependency, Spending } from '../http/answer-cache.ts';
import { ROOT_FIELD_LIMITS } from '../limits.ts';
import type { CompiledOperation } from './operation.ts';
import { type Selection, selectionsBelow, type Values } from './selection.ts';

/** How the answer to an operation is kept that everybody gets who asks without a key. */
export interface CachePolicy {
  readonly dependsOn: readonly Dependency[];
  /** What each of its fields of Query spends, in their order. */
  readonly spends: readonly Spending[];
}

/**
 * What the values of each field of Query depend on; a field that is not named is worked out each time. What is made some seconds
 * after a resolution comes without an event, and a reservation ends at a second, and with it whose name it was.
 */
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
  stats: ['events', 'entries', 'agents', 'second'],
  forecastRecord: ['events', 'second'],
  benchmark: ['events', 'second'],
  // An operator hides what a model is called.
  models: ['events', 'agents', 'second'],
  market: ['prices'],
  candles: ['second'],
  __schema: [],
  __type: [],
  __typename: [],
};

/** What objects of these types add to that, wherever they stand below it. */
const OF_TYPE: Readonly<Record<string, readonly Dependency[]>> = {
  Round: ['entries', 'second'],
  Prediction: ['entries'],
  Agent: ['entries', 'agents'],
  Webhook: ['webhooks'],
};

/** Fields whose values change without a message, several times a minute: documents that ask for them are executed each time. */
const VOLATILE_FIELDS = new Set([
  'reference',
  'latestReference',
  'quotes',
  'referenceBasis',
  'evidence',
  'agreedCandles',
]);

/** Fields of Query that say something of who asks. */
const OF_CALLER = new Set(['me', 'viewer', 'ownRounds', 'webhook']);

/** Whether a selection of Query asks for what an agent sees of itself, which is nobody else's. */
export function isOfCaller({ fields }: Selection): boolean {
  return fields.some(({ definition }) => OF_CALLER.has(definition.name));
}

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

function policyFor(selection: Selection): CachePolicy | null {
  const names = selection.fields.map(({ definition }) => definition.name);
  const spends = names.flatMap((asked) => {
    const limit = ROOT_FIELD_LIMITS.get(asked);
    return limit === undefined ? [] : [{ limit, asked }];
  });
  if (isOfCaller(selection)) return null;
  const below = [...selectionsBelow(selection)].flatMap(({ fields }) => fields);
  if (below.some(({ definition }) => VOLATILE_FIELDS.has(definition.name))) return null;
  const dependsOn = dependenciesOf(selection);
  return dependsOn && { dependsOn, spends };
}

/** What the answer to a selection of Query depends on; null where a field of it is worked out each time. */
export function dependenciesOf(selection: Selection): readonly Dependency[] | null {
  const ofFields = selection.fields.map(({ definition }) => DEPENDENCIES[definition.name]);
  const ofTypes = [...selectionsBelow(selection)].map(({ type }) => OF_TYPE[type.name]);
  if (ofFields.includes(undefined)) return null;
  return [...new Set([...ofFields, ...ofTypes].flatMap((each) => each ?? []))];
}
