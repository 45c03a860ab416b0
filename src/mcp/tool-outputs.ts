import { type JsonSchema, propertyOf } from '../rest/described.ts';
import type { Tool } from './tools.ts';

const OF_DOCUMENT = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] } },
  required: ['data'],
};

/** Members that all endpoints share, plus `beside`. Only types: clients send the list with each conversation. */
export function outputSchemaOf({ answers, beside = [] }: Tool, bodyOf: (name: string) => JsonSchema) {
  if (answers === 'graphql') return OF_DOCUMENT;
  const [first, ...others] = answers.map(bodyOf);
  const isCommon = (name: string) => others.every(({ required }) => required?.includes(name));
  const common = Object.entries(first?.properties ?? {}).filter(([name]) => isCommon(name));
  const shown = common.map(([name, one]) => [name, typesOf(one)] as const);
  const more = beside.flatMap<readonly [string, JsonSchema]>(({ answers: name, as, fields = [] }) =>
    as === undefined
      ? fields.map((field) => [field, typesOf(propertyOf(bodyOf(name), field))] as const)
      : [[as, { type: 'object' }]],
  );
  const properties = Object.fromEntries([...shown, ...more]);
  // A named extra body may be omitted.
  const besideAlways = beside.flatMap(({ as, fields = [] }) => (as === undefined ? fields : []));
  const always = [...(first?.required ?? []).filter(isCommon), ...besideAlways];
  return { type: 'object', properties, required: always };
}

function typesOf({ $ref, type = $ref === undefined ? [] : 'string', anyOf = [] }: JsonSchema): {
  readonly type: readonly string[];
} {
  const inner = anyOf.flatMap((one) => typesOf(one).type);
  return { type: [...new Set([type, inner].flat())] };
}
