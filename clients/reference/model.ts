import type { OpenApi, Operation, OperationParameter } from '../../src/openapi/openapi.ts';
import { exportedList, METHOD_NAMES, methodName } from '../../src/openapi/client-methods.ts';
import { TYPE_NAMES } from './names.ts';

/** A type that every language can express. */
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

/** A named type: an object with its fields, or an alias. */
export interface Declaration {
  readonly name: string;
  readonly description: string;
  readonly shape: { readonly fields: readonly Field[] } | { readonly type: Type };
}

/** An endpoint with one request and one answer. */
export interface Method {
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  readonly summary: string;
  readonly limit: string;
  readonly parameters: readonly Field[];
  /** Repeats are recognized by `Idempotency-Key`. */
  readonly takesIdempotencyKey: boolean;
  /** Query parameters of a method other than GET. */
  readonly inQuery: readonly string[];
  readonly answer: Type;
  /** The answer is JSON. */
  readonly isJson: boolean;
}

/** A list that is exported as lines. */
export interface ExportedList {
  readonly name: string;
  readonly row: Type;
  readonly filters: readonly Field[];
}

/** The reference with the clients' names. */
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

/** Fields that the clients add to an answer, from its headers. */
const HEADER_FIELDS: Readonly<Record<string, readonly Field[]>> = {
  Submission: [
    {
      name: 'leaf_hash',
      type: { kind: 'string' },
      required: false,
      description:
        "The hash of the prediction's leaf, from the header `Hourcast-Leaf`: keep it to verify its receipt. Absent for a `dry_run`.",
    },
  ],
};

/** Throws for duplicate method names, for unused rows of names.ts, and for an object without a name. */
export function modelOf(reference: OpenApi): Model {
  const { schemas } = reference.components;
  const operations = Object.entries(reference.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => ({ path, verb: verb.toUpperCase(), operation })),
  );
  const methods = operations.flatMap((one) => (isStream(one.path) ? [] : [methodOf(one, schemas)]));
  const exports = operations.flatMap(({ path, operation }): ExportedList[] => {
    const name = exportedList(path);
    if (name === undefined) return [];
    return [{ name, row: typeOf(answerOf(operation).schema, name), filters: fieldsOf(operation, schemas) }];
  });
  const names = methods.map(({ name }) => name);
  refuseAny(
    'Two methods have the name',
    names.filter((name, at) => names.indexOf(name) !== at),
  );
  const known = new Set([...operations.map(({ operation }) => operation.operationId), ...Object.keys(schemas)]);
  refuseAny(
    'The reference does not have',
    [...Object.keys(METHOD_NAMES), ...Object.keys(TYPE_NAMES)].filter((one) => !known.has(one)),
  );
  return { version: String(reference.info['version']), declarations: declarationsOf(reference), methods, exports };
}

/** Request schemas become parameters of methods; only other schemas become types. */
function declarationsOf({ paths, components }: OpenApi): readonly Declaration[] {
  const bodies = Object.values(paths).flatMap((item) => Object.values(item).map(bodyName));
  return Object.entries(components.schemas)
    .filter(([name]) => !bodies.includes(name))
    .map(([name, schema]) => declarationOf(name, Object(schema)));
}

function declarationOf(name: string, schema: Schema): Declaration {
  const shape =
    schema.properties === undefined
      ? { type: typeOf(schema, name) }
      : { fields: [...fieldsIn(schema, name), ...(HEADER_FIELDS[name] ?? [])] };
  return { name: named(name).name, description: schema.description ?? '', shape };
}

function isStream(path: string): boolean {
  return path === '/api/events' || path.startsWith('/api/export/');
}

function refuseAny(sentence: string, wrong: readonly string[]): void {
  if (wrong.length > 0)
    throw new Error(`${sentence} ${wrong.join(', ')} (clients/reference/names.ts, src/openapi/client-methods.ts)`);
}

interface NamedOperation {
  readonly path: string;
  readonly verb: string;
  readonly operation: Operation;
}

type Schemas = OpenApi['components']['schemas'];

function methodOf({ path, verb, operation }: NamedOperation, schemas: Schemas): Method {
  const { operationId } = operation;
  const { schema, media } = answerOf(operation);
  return {
    name: methodName(operationId),
    verb,
    path,
    summary: operation.summary,
    limit: operation.description,
    parameters: fieldsOf(operation, schemas),
    takesIdempotencyKey: operation.parameters?.some((parameter) => parameter.name === IDEMPOTENCY_KEY) ?? false,
    inQuery:
      verb === 'GET' ? [] : (operation.parameters ?? []).filter((one) => one.in === 'query').map(({ name }) => name),
    answer: typeOf(schema, operationId),
    isJson: media === 'application/json',
  };
}

/** The type of the 2xx answer, and its media type. */
function answerOf({ operationId, responses }: Operation): { readonly schema: Schema; readonly media: string } {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
  const content = response !== undefined && 'content' in response ? response.content : undefined;
  const [first] = Object.entries(content ?? {});
  if (first === undefined) throw new Error(`${operationId} has no good answer`);
  return { media: first[0], schema: Object(first[1].schema) };
}

/** Parameters of path, query and body together: required ones come first. */
function fieldsOf(operation: Operation, schemas: Schemas): readonly Field[] {
  const inBody = fieldsIn(Object(schemas[bodyName(operation)]), operation.operationId);
  const fields = [...(operation.parameters ?? []).map(parameterOf), ...inBody];
  return fields.toSorted((one, other) => Number(other.required) - Number(one.required));
}

/** Empty without a body. */
function bodyName({ requestBody }: Operation): string {
  const { $ref = '' }: Schema = Object(requestBody?.content['application/json']?.schema);
  return lastOf($ref);
}

function parameterOf({ name, schema, required, description }: OperationParameter): Field {
  const called = name.toLowerCase().replaceAll('-', '_');
  return fieldOf(called, { ...Object(schema), description }, required);
}

function fieldsIn({ properties = {}, required = [] }: Schema, place: string): readonly Field[] {
  return Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, schema, required.includes(name), `${place}.${name}`),
  );
}

function fieldOf(name: string, schema: Schema, required: boolean, place = name): Field {
  return { name, type: typeOf(schema, place), required, description: schema.description ?? '' };
}

/** Looks up a schema of the reference. */
function named(name: string) {
  return { kind: 'named', name: TYPE_NAMES[name] ?? name } as const;
}

function lastOf(reference: string): string {
  return reference.split('/').at(-1) ?? '';
}

function typeOf(schema: Schema, place: string): Type {
  if (schema.$ref !== undefined) return named(lastOf(schema.$ref));
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
      if (schema.properties !== undefined) throw new Error(`${place} is an object that the reference gives no name`);
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
