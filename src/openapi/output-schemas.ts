import type { OpenApi } from './openapi.ts';

/** What a good answer of each operation holds, by method and path: schemas that stand by themselves, names and types alone. */
export function outputSchemas({ paths, components }: OpenApi): ReadonlyMap<string, object> {
  const bare = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(bare);
    if (typeof value !== 'object' || value === null) return value;
    if ('$ref' in value) return bare(components.schemas[String(value.$ref).replace('#/components/schemas/', '')]);
    const told = Object.entries(value).filter(([key, one]) => key !== 'description' || typeof one === 'object');
    return Object.fromEntries(told.map(([key, one]) => [key, bare(one)]));
  };
  const found = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([verb, { responses }]) => {
      const good = responses[200] ?? responses[201];
      const schema = good !== undefined && 'content' in good ? good.content?.['application/json']?.schema : undefined;
      return schema === undefined ? [] : [[`${verb.toUpperCase()} ${path}`, Object(bare(schema))] as const];
    }),
  );
  return new Map(found);
}
