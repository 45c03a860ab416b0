import type { JsonSchema } from '../rest/described.ts';
import { nameAt, locationOf, refuseStaleNames } from './names.ts';
import { component, type Content, type OpenApi, type Operation, type Response } from './openapi.ts';

export function withNamedObjects(reference: OpenApi): OpenApi {
  const naming = namingOf();
  const { components, paths } = reference;
  const own = Object.entries(components.schemas).map(
    ([name, schema]) => [name, naming.component(name, schema)] as const,
  );
  const items = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([verb, operation]) => [verb, namedIn(operation, naming)]);
    return [path, Object.fromEntries(operations)];
  });
  refuseStaleNames(paths, naming.locations);
  return {
    ...reference,
    paths: Object.fromEntries(items),
    components: { ...components, schemas: Object.fromEntries([...own, ...naming.found]) },
  };
}

function namedIn(operation: Operation, naming: SchemaNames): Operation {
  const { operationId, requestBody, responses } = operation;
  const location = locationOf(operationId);
  const answers = Object.entries(responses).map(([status, response]) => [
    status,
    'content' in response ? { ...response, content: namedContent(response.content, location, naming) } : response,
  ]);
  const namedBody = requestBody && {
    ...requestBody,
    content: namedContent(requestBody.content, `${operationId}Request`, naming),
  };
  return {
    ...operation,
    ...(namedBody === undefined ? {} : { requestBody: namedBody }),
    responses: Object.fromEntries(answers),
  };
}

function namedContent(content: NonNullable<Response['content']>, location: string, naming: SchemaNames): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      { ...media, schema: naming.named(Object(media.schema), location) },
    ]),
  );
}

type SchemaNames = ReturnType<typeof namingOf>;

/** Objects with the same fields share a name, unless a path has its own. */
function namingOf() {
  const found = new Map<string, JsonSchema>();
  const locations = new Set<string>();
  const taken = new Set<string>();

  function named(described: JsonSchema, location: string): JsonSchema {
    const { items, anyOf, properties, additionalProperties: values } = described;
    if (anyOf !== undefined) return { ...described, anyOf: anyOf.map((one) => named(one, location)) };
    if (items !== undefined) return { ...described, items: named(items, location) };
    if (values !== undefined) return { ...described, additionalProperties: named(values, location) };
    return properties === undefined ? described : objectAt(described, location);
  }

  function withFields(described: JsonSchema, location: string): JsonSchema {
    const fields = Object.entries(described.properties ?? {});
    const inside = fields.map(([name, field]) => [name, named(field, `${location}.${name}`)]);
    return { ...described, properties: Object.fromEntries(inside) };
  }

  function objectAt({ type, ...described }: JsonSchema, location: string): JsonSchema {
    locations.add(location);
    const object: JsonSchema = { type: 'object', ...withFields(described, location) };
    const same = [...found].find(([, one]) => isSame(one, object))?.[0];
    const name = nameAt(location, same, (one) => taken.has(one));
    const before = found.get(name);
    if (before !== undefined && !isSame(before, object)) throw new Error(`Two objects are called ${name}: ${location}`);
    if (before === undefined) found.set(name, object);
    taken.add(name);
    const { description } = described;
    const text = description === undefined ? {} : { description };
    const reference = component('schemas', name);
    return type?.includes('null') === true
      ? { ...text, anyOf: [reference, { type: 'null' }] }
      : { ...reference, ...text };
  }

  return {
    named,
    component(name: string, schema: unknown): JsonSchema {
      locations.add(name);
      taken.add(name);
      const described: JsonSchema = Object(schema);
      return described.properties === undefined ? described : withFields(described, name);
    },
    found,
    locations,
  };
}

/** Ignores descriptions. */
function isSame(one: JsonSchema, other: JsonSchema): boolean {
  return undescribed(one) === undescribed(other);
}

function undescribed(described: JsonSchema): string {
  return JSON.stringify(described, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

export function withObjectsInPlace(reference: OpenApi): OpenApi {
  const { schemas } = reference.components;
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...text }: JsonSchema = value;
    const [, name = ''] = /^#\/components\/schemas\/(.*)$/.exec($ref ?? '') ?? [];
    const object: JsonSchema = Object(schemas[name]);
    if (object.properties !== undefined) return inPlace({ ...object, ...text });
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inPlace(one)]));
  };
  return Object(inPlace(reference));
}
