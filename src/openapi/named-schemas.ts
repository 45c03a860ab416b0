import type { Described } from '../rest/described.ts';
import { nameAt, placeOf, refuseStaleNames } from './names.ts';
import { component, type Content, type OpenApi, type Operation, type Response } from './openapi.ts';

/** The reference with each object as a component with a name, to which all that hold it refer. */
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
  refuseStaleNames(paths, naming.places);
  return {
    ...reference,
    paths: Object.fromEntries(items),
    components: { ...components, schemas: Object.fromEntries([...own, ...naming.found]) },
  };
}

function namedIn(operation: Operation, naming: Naming): Operation {
  const { operationId, requestBody, responses } = operation;
  const place = placeOf(operationId);
  const answers = Object.entries(responses).map(([status, response]) => [
    status,
    'content' in response ? { ...response, content: namedContent(response.content, place, naming) } : response,
  ]);
  const asked = requestBody && {
    ...requestBody,
    content: namedContent(requestBody.content, `${operationId}Request`, naming),
  };
  return {
    ...operation,
    ...(asked === undefined ? {} : { requestBody: asked }),
    responses: Object.fromEntries(answers),
  };
}

function namedContent(content: NonNullable<Response['content']>, place: string, naming: Naming): Content {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      { ...media, schema: naming.named(Object(media.schema), place) },
    ]),
  );
}

interface Naming {
  /** The same with what stands for its objects. */
  named(described: Described, place: string): Described;
  /** The same of a component, which keeps its name. */
  component(name: string, schema: unknown): unknown;
  /** The objects by their names. */
  readonly found: ReadonlyMap<string, Described>;
  /** Where objects were found. */
  readonly places: ReadonlySet<string>;
}

/** Objects of the same fields share a name, unless the place of one has its own. */
function namingOf(): Naming {
  const found = new Map<string, Described>();
  const places = new Set<string>();
  const taken = new Set<string>();

  function named(described: Described, place: string): Described {
    const { items, anyOf, properties, additionalProperties: values } = described;
    if (anyOf !== undefined) return { ...described, anyOf: anyOf.map((one) => named(one, place)) };
    if (items !== undefined) return { ...described, items: named(items, place) };
    if (values !== undefined) return { ...described, additionalProperties: named(values, place) };
    return properties === undefined ? described : objectAt(described, place);
  }

  function withFields(described: Described, place: string): Described {
    const fields = Object.entries(described.properties ?? {});
    const inside = fields.map(([name, field]) => [name, named(field, `${place}.${name}`)]);
    return { ...described, properties: Object.fromEntries(inside) };
  }

  function objectAt({ type, ...described }: Described, place: string): Described {
    places.add(place);
    const object: Described = { type: 'object', ...withFields(described, place) };
    const same = [...found].find(([, one]) => isSame(one, object))?.[0];
    const name = nameAt(place, same, (one) => taken.has(one));
    const before = found.get(name);
    if (before !== undefined && !isSame(before, object)) throw new Error(`Two objects are called ${name}: ${place}`);
    if (before === undefined) found.set(name, object);
    taken.add(name);
    const { description } = described;
    const told = description === undefined ? {} : { description };
    const reference = component('schemas', name);
    return type?.includes('null') === true
      ? { ...told, anyOf: [reference, { type: 'null' }] }
      : { ...reference, ...told };
  }

  return {
    named,
    component(name, schema) {
      places.add(name);
      taken.add(name);
      const described: Described = Object(schema);
      return described.properties === undefined ? described : withFields(described, name);
    },
    found,
    places,
  };
}

/** But for what is said of them. */
function isSame(one: Described, other: Described): boolean {
  return unsaid(one) === unsaid(other);
}

function unsaid(described: Described): string {
  return JSON.stringify(described, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? undefined : value,
  );
}

/** The reference with each named object where it is referred to, for who reads from top to bottom. */
export function withObjectsInPlace(reference: OpenApi): OpenApi {
  const { schemas } = reference.components;
  const inPlace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inPlace);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...told }: Described = value;
    const [, name = ''] = /^#\/components\/schemas\/(.*)$/.exec($ref ?? '') ?? [];
    const object: Described = Object(schemas[name]);
    if (object.properties !== undefined) return inPlace({ ...object, ...told });
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, inPlace(one)]));
  };
  return Object(inPlace(reference));
}
