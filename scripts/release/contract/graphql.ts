import { DangerousChangeType, findBreakingChanges, findDangerousChanges, type GraphQLSchema } from 'graphql';

import type { Breaking } from './breaking.ts';

/** Sentences of graphql-js that name two elements, as schema coordinates. The first name of any other sentence is the element. */
const COORDINATES: readonly (readonly [RegExp, string])[] = [
  [/^(\w+) was removed from (?:enum|union) type (\w+)/, '$2.$1'],
  [/^A required field (\w+) on input type (\w+)/, '$2.$1'],
  [/^A required arg (\w+) on (?:directive )?(\S+) was added/, '$2($1:)'],
  [/^(\S+\.\w+) arg (\w+) /, '$1($2:)'],
  [/^(\S+)/, '$1'],
];

/** Changes by which a valid document may fail, or an omitted argument mean something else. New values of enums are none. */
export function breakingInSchema(before: GraphQLSchema, after: GraphQLSchema): readonly Breaking[] {
  const defaults = findDangerousChanges(before, after).filter(
    ({ type }) => type === DangerousChangeType.ARG_DEFAULT_VALUE_CHANGE,
  );
  return [...findBreakingChanges(before, after), ...defaults].map(({ description }) => ({
    element: elementIn(description),
    change: description,
  }));
}

function elementIn(sentence: string): string {
  const [pattern, coordinate] = COORDINATES.find(([one]) => one.test(sentence)) ?? [/$/, ''];
  return (pattern.exec(sentence)?.[0] ?? '').replace(pattern, coordinate).replace(/[.,]$/, '');
}
