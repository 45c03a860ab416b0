import type { OpenApi, Operation, OperationParameter } from '../../src/openapi/openapi.ts';
import { exportedList, METHOD_NAMES, methodName } from '../../src/openapi/client-methods.ts';
import { TYPE_NAMES } from './names.ts';
import { pascalCased, singular } from './words.ts';

/** A type that every language can spell. */
export type Type =
  | { readonly kind: 'string' | 'integer' | 'number' | 'boolean' | 'null' | 'object' }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list' | 'map'; readonly of: Type }
  | { readonly kind: 'constants'; readonly values: readonly unknown[] }
  | { readonly kind: 'union'; readonly of: readonly Type[] };

export interface Field {
  readonly name: string;
  readonly type: Type;
  readonly required: boolean;
  readonly description: string;
}

/** A type with a name: an object with its fields, or what another type is called. */
export interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly shape: { readonly fields: readonly Field[] } | { readonly type: Type };
}

/** An endpoint that is asked once and answers once. */
export interface Method {
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  readonly limit: string;
  readonly parameters: readonly Field[];
  /** Whether a repeat is recognized by its `Idempotency-Key`. */
  readonly takesIdempotencyKey: boolean;
  readonly answer: Type;
  /** Whether the answer is JSON. */
  readonly isJson: boolean;
}

/** A list that is exported as lines. */
export interface ExportedList {
  readonly name: string;
  readonly row: Type;
  readonly filters: readonly Field[];
}

/** What the reference says, in the words of the clients. */
export interface Model {
  readonly version: string;
  readonly declarations: readonly Declaration[];
  readonly methods: readonly Method[];
  readonly exports: readonly ExportedList[];
}

/** The part of JSON Schema that the reference uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
}

const IDEMPOTENCY_KEY = 'Idempotency-Key';

/** Throws where two methods have one name, and where a row of names names nothing. */
export function modelOf(reference: OpenApi): Model {
  const types = declaredTypes();
  const operations = Object.entries(reference.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  );
  for (const [name, schema] of Object.entries(reference.components.schemas)) types.component(name, Object(schema));
  const methods = operations.flatMap((one) => (isStream(one.path) ? [] : [methodOf(one, types)]));
  const exports = operations.flatMap(({ path, operation }): ExportedList[] => {
    const name = exportedList(path);
    if (name === undefined) return [];
    return [{ name, row: types.typeOf(answerOf(operation).schema, name), filters: fieldsOf(operation, types) }];
  });
  const names = methods.map(({ name }) => name);
  refuseAny(
    'Two methods have the name',
    names.filter((name, at) => names.indexOf(name) !== at),
  );
  const asked = new Set(operations.map(({ verb, path }) => `${verb} ${path}`));
  refuseAny(
    'The reference does not have',
    Object.keys(METHOD_NAMES).filter((one) => !asked.has(one)),
  );
  refuseAny(
    'No object is at the place',
    Object.keys(TYPE_NAMES).filter((place) => !types.places.has(place)),
  );
  return { version: String(reference.info['version']), declarations: types.all(), methods, exports };
}

function isStream(path: string): boolean {
  return path === '/api/events' || path.startsWith('/api/export/');
}

function refuseAny(sentence: string, wrong: readonly string[]): void {
  if (wrong.length > 0)
    throw new Error(`${sentence} ${wrong.join(', ')} (clients/reference/names.ts, src/openapi/client-methods.ts)`);
}

interface Asked {
  readonly path: string;
  readonly verb: string;
  readonly operation: Operation;
}

function methodOf({ path, verb, operation }: Asked, types: Types): Method {
  const name = methodName(verb, path);
  const { schema, media } = answerOf(operation);
  return {
    name,
    verb,
    path,
    summary: operation.summary,
    limit: operation.description,
    parameters: fieldsOf(operation, types),
    takesIdempotencyKey: operation.parameters?.some((parameter) => parameter.name === IDEMPOTENCY_KEY) ?? false,
    answer: types.typeOf(schema, name),
    isJson: media === 'application/json',
  };
}

/** What a good answer holds, and as what it comes. */
function answerOf({ operationId, responses }: Operation): { readonly schema: Schema; readonly media: string } {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = response !== undefined && 'content' in response ? response.content : undefined;
  const [first] = Object.entries(content ?? {});
  if (first === undefined) throw new Error(`${operationId} has no good answer`);
  return { media: first[0], schema: Object(first[1].schema) };
}

/** Parameters of the path, of the query and of the body alike: those that must be given come first. */
function fieldsOf({ parameters = [], requestBody }: Operation, types: Types): readonly Field[] {
  const body: Schema = Object(requestBody?.content['application/json']?.schema);
  const inBody = Object.entries(body.properties ?? {}).map(([name, schema]) =>
    types.field(name, schema, body.required?.includes(name) ?? false),
  );
  const fields = [...parameters.map((parameter) => parameterOf(parameter, types)), ...inBody];
  return fields.toSorted((one, other) => Number(other.required) - Number(one.required));
}

function parameterOf({ name, schema, required, description }: OperationParameter, types: Types): Field {
  const called = name.toLowerCase().replaceAll('-', '_');
  return types.field(called, { ...Object(schema), description }, required);
}

interface Types {
  component(name: string, schema: Schema): void;
  typeOf(schema: Schema, place: string): Type;
  field(name: string, schema: Schema, required: boolean): Field;
  all(): readonly Declaration[];
  /** Where objects were found. */
  readonly places: ReadonlySet<string>;
}

/** A schema of the reference by its name. */
function named(name: string) {
  return { kind: 'named', name: TYPE_NAMES[name] ?? name } as const;
}

/** Gives each object a name, and objects of the same fields the same. */
function declaredTypes(): Types {
  const declared = new Map<string, Declaration>();
  const places = new Set<string>();

  function typeOf(schema: Schema, place: string): Type {
    if (schema.$ref !== undefined) return named(schema.$ref.split('/').at(-1) ?? '');
    const several = schema.oneOf ?? schema.anyOf;
    if (several !== undefined) return { kind: 'union', of: several.map((one) => typeOf(one, place)) };
    if (schema.const !== undefined) return { kind: 'constants', values: [schema.const] };
    if (schema.enum !== undefined) return { kind: 'constants', values: schema.enum };
    if (Array.isArray(schema.type)) {
      const kinds = schema.type.map((type) => typeOf({ ...schema, type }, place));
      return kinds.length === 1 && kinds[0] ? kinds[0] : { kind: 'union', of: kinds };
    }
    const type: unknown = schema.type;
    switch (type) {
      case 'array':
        return { kind: 'list', of: typeOf(schema.items ?? {}, place) };
      case 'object':
        if (schema.properties !== undefined) return objectAt(schema, place);
        return schema.additionalProperties === undefined
          ? { kind: 'object' }
          : { kind: 'map', of: typeOf(schema.additionalProperties, place) };
      case 'string':
      case 'integer':
      case 'number':
      case 'boolean':
      case 'null':
        return { kind: type };
      default:
        throw new Error(`${place} is of a type that the clients do not know: ${JSON.stringify(schema)}`);
    }
  }

  function fieldsAt({ properties = {}, required = [] }: Schema, place: string): readonly Field[] {
    return Object.entries(properties).map(([name, schema]) =>
      field(name, schema, required.includes(name), `${place}.${name}`),
    );
  }

  function field(name: string, schema: Schema, required: boolean, place = name): Field {
    return { name, type: typeOf(schema, place), required, description: schema.description ?? '' };
  }

  function objectAt(schema: Schema, place: string): Type {
    places.add(place);
    const shape = { fields: fieldsAt(schema, place) };
    const wanted = TYPE_NAMES[place];
    const same = [...declared.values()].find((one) => wanted === undefined && sameFields(one, shape));
    const name = wanted ?? same?.name ?? freeName(place, (one) => declared.has(one));
    const before = declared.get(name);
    if (before !== undefined && !sameFields(before, shape)) throw new Error(`Two objects are called ${name}: ${place}`);
    if (before === undefined) declared.set(name, { name, description: schema.description ?? '', shape });
    return { kind: 'named', name };
  }

  return {
    component(given, schema) {
      places.add(given);
      const { name } = named(given);
      const isObject = schema.properties !== undefined;
      const shape = isObject ? { fields: fieldsAt(schema, given) } : { type: typeOf(schema, given) };
      declared.set(name, { name, description: schema.description ?? '', shape });
    },
    typeOf,
    field,
    all: () => [...declared.values()],
    places,
  };
}

/** By its field alone where that is free. */
function freeName(place: string, isTaken: (name: string) => boolean): string {
  const parts = place.split('.').map(pascalCased);
  const own = parts.at(-1) ?? '';
  const short = parts.length > 1 ? singular(own) : own;
  // What stands in a component is its own.
  const isOfComponent = parts.length > 1 && place.startsWith(parts[0] ?? '');
  return isOfComponent || isTaken(short) ? parts.join('') : short;
}

function sameFields({ shape }: Declaration, other: { readonly fields: readonly Field[] }): boolean {
  const bare = (fields: readonly Field[]) =>
    JSON.stringify(fields.map(({ name, type, required }) => [name, type, required]));
  return 'fields' in shape && bare(shape.fields) === bare(other.fields);
}
