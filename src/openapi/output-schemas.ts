import type { Described } from '../rest/described.ts';
import type { OpenApi } from './openapi.ts';

/** A JSON Schema of an object that names its members and their types, and nothing below them. */
export interface Members {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, { readonly type?: readonly string[] }>>;
  readonly required: readonly string[];
}

/** What a good answer of each operation holds, by method and path: short, since clients pass it on with every conversation. */
export function outputSchemas({ paths, components }: OpenApi): ReadonlyMap<string, Members> {
  const resolved = (schema: Described): Described => {
    const { $ref } = schema;
    return $ref === undefined ? schema : (components.schemas[$ref.replace('#/components/schemas/', '')] ?? {});
  };
  const typesOf = (schema: Described): readonly string[] => {
    const { type = [], anyOf = [] } = resolved(schema);
    return [...new Set([type, ...anyOf.map(typesOf)].flat())];
  };
  const membersOf = (schema: Described): Members => {
    const { properties = {}, required = [] } = resolved(schema);
    const shown = Object.entries(properties).map(([name, one]) => [name, { type: typesOf(one) }] as const);
    return { type: 'object', properties: Object.fromEntries(shown), required };
  };
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, { responses }]) => {
      const good = responses[200] ?? responses[201];
      const schema = good !== undefined && 'content' in good ? good.content?.['application/json']?.schema : undefined;
      return schema === undefined ? [] : [[`${verb.toUpperCase()} ${path}`, membersOf(Object(schema))] as const];
    }),
  );
  return new Map(found);
}
