import {
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  getVariableValues,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type OperationDefinitionNode,
  typeFromAST,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { dependenciesOf, isOfCaller } from '../graphql/cache-policy.ts';
import { type CompiledOperation, compileServiceOperation } from '../graphql/operation.ts';
import type { Dependency } from '../http/answer-cache.ts';
import { type CacheHeaders, cacheHeaders } from '../http/cache-headers.ts';
import { type Deprecation, DEPRECATIONS } from '../rules/deprecations.ts';
import type { NameOf } from '../rules/errors.ts';
import { deprecatedIn, type DeprecatedPart, refuseStale } from './deprecated.ts';
import { inRestSpelling } from './described.ts';
import type { Data, Endpoint } from './endpoint.ts';

export type Source =
  | { readonly kind: 'path' | 'query' | 'body' }
  | { readonly kind: 'header'; readonly header: string };

export interface Parameter {
  readonly name: string;
  readonly source: Source;
  readonly type: 'Int' | 'String' | 'Boolean' | GraphQLEnumType | GraphQLInputObjectType;
  /** Accepts a list; only texts and objects have lists. */
  readonly isList: boolean;
  /** Maps a request's spelling to the schema's value; null except for enums. */
  readonly spellings: ReadonlyMap<string, string> | null;
  readonly required: boolean;
  readonly feeds: string;
  readonly description: string;
  readonly fallback: unknown;
  readonly mustBe: string;
  readonly check: (value: unknown) => void;
  readonly min: number;
  readonly max: number;
}

export interface CompiledEndpoint extends Endpoint {
  readonly operation: CompiledOperation;
  /** Checked variables with the document's defaults, as its types take them. */
  readonly coerce: (variables: Data) => Data;
  readonly parameters: readonly Parameter[];
  readonly fields: readonly string[];
  readonly dependsOn: readonly Dependency[];
  readonly caching: CacheHeaders;
  readonly deprecated: readonly DeprecatedPart[];
}

export type Table = ReadonlyMap<string, CompiledEndpoint>;

export function compileTable(
  endpoints: readonly Endpoint[],
  schema: GraphQLSchema,
  deprecations: readonly Deprecation[] = DEPRECATIONS,
): Table {
  const compiled = endpoints.map((endpoint) => {
    const name = `${endpoint.method} ${endpoint.path}`;
    return [name, { ...compile(endpoint, schema), deprecated: deprecatedIn(name, deprecations) }] as const;
  });
  const known = compiled.flatMap(([name, { parameters }]) => [
    name,
    ...parameters.filter(({ source }) => source.kind === 'query').map((one) => `${name}?${one.name}`),
  ]);
  refuseStale(deprecations, new Set(known));
  return new Map(compiled);
}

/** Throws if the document does not fit the schema, which stops the start. */
function compile(endpoint: Endpoint, schema: GraphQLSchema): Omit<CompiledEndpoint, 'deprecated'> {
  const operation = operationOf(endpoint, schema);
  const parameters = parametersOf(endpoint, operation.parts);
  const fields = parameters.filter(({ source }) => source.kind === 'body').map(({ name }) => name);
  const coerce = coercionOf(endpoint, operation, parameters);
  const dependsOn = endpoint.cached === undefined ? [] : dependenciesFor(endpoint, operation);
  const caching = cacheHeaders(endpoint, isOfCaller(operation.selected({})));
  return { ...endpoint, operation, coerce, parameters, fields, dependsOn, caching };
}

function dependenciesFor({ path }: Endpoint, operation: CompiledOperation): readonly Dependency[] {
  const dependsOn = dependenciesOf(operation.selected({}));
  if (dependsOn === null) throw new Error(`${path} is cached, but a field of it has no known dependency`);
  return dependsOn;
}

function operationOf({ method, path, document }: Endpoint, schema: GraphQLSchema): CompiledOperation {
  try {
    return compileServiceOperation(schema, document);
  } catch (error) {
    throw new Error(`${method} ${path} does not fit the schema: ${String(error)}`, { cause: error });
  }
}

/** Parameters were checked on arrival, so the schema coerces only what lists hold. */
function coercionOf(
  { path }: Endpoint,
  operation: CompiledOperation,
  parameters: readonly Parameter[],
): CompiledEndpoint['coerce'] {
  if (parameters.some(({ isList, type }) => isList || isInputObjectType(type))) {
    return (variables) => {
      const { coerced } = operation.coerce(variables);
      if (coerced === undefined)
        throw new Error(`${path}: its parameters accepted variables that its document rejects`);
      return coerced;
    };
  }
  const { schema, operation: definition } = operation.parts;
  const withDefaults = definition.variableDefinitions?.filter(({ defaultValue }) => defaultValue) ?? [];
  const { coerced: defaults } = getVariableValues(schema, withDefaults, {});
  return (variables) => ({ ...defaults, ...variables });
}

function parametersOf(endpoint: Endpoint, { operation, schema }: CompiledOperation['parts']): Parameter[] {
  const fed = argumentsFed(operation, schema);
  return (operation.variableDefinitions ?? []).map(({ variable, type: node, defaultValue: ownDefault }) => {
    const name = variable.name.value;
    const type = typeFromAST(schema, node);
    const argument = fed.get(name);
    const description = inRestSpelling(argument?.description ?? '');
    const kind = kindOf(getNamedType(type), `${endpoint.path}: $${name}`);
    const isList = isListType(getNullableType(type));
    const source = sourceOf(endpoint, name);
    const spellings = spellingsOf(kind, endpoint.lowerCase?.includes(name) ?? false);
    const requirement = isList && kind === 'String' ? 'a list of texts' : mustBe(kind, description, spellings);
    return {
      name,
      source,
      type: kind,
      isList,
      spellings,
      required: isNonNullType(type),
      feeds: argument?.name ?? name,
      description,
      fallback: spellingFor(spellings, ownDefault ? valueFromASTUntyped(ownDefault) : argument?.defaultValue),
      mustBe: requirement,
      check: argument?.extensions.check ?? (() => {}),
      ...boundsOf(requirement, source),
    };
  });
}

function sourceOf({ method, path, headers, inQuery }: Endpoint, name: string): Source {
  const header = headers?.[name];
  if (header !== undefined) return { kind: 'header', header };
  if (path.includes(`{${name}}`)) return { kind: 'path' };
  return { kind: method === 'GET' || inQuery?.includes(name) ? 'query' : 'body' };
}

function spellingsOf(kind: Parameter['type'], lowerCase: boolean): Parameter['spellings'] {
  if (!isEnumType(kind)) return null;
  return new Map(kind.getValues().map(({ name }) => [lowerCase ? name.toLowerCase() : name, name]));
}

function spellingFor(spellings: Parameter['spellings'], value: unknown): unknown {
  return [...(spellings ?? [])].find(([, name]) => name === value)?.[0] ?? value;
}

/** A whole number's bounds follow the colon of its description. */
function mustBe(kind: Parameter['type'], description: string, spellings: Parameter['spellings']): string {
  if (kind === 'String') return 'text';
  if (kind === 'Boolean') return 'true or false';
  if (isInputObjectType(kind)) return 'a list of objects';
  if (spellings !== null) return `one of ${[...spellings.keys()].join(', ')}`;
  const [, bounds] = /: (a whole number[^.]*)\.$/.exec(description) ?? [];
  if (bounds === undefined) throw new Error(`A description must end with ": a whole number ...." (got ${description})`);
  return bounds;
}

function kindOf(type: ReturnType<typeof getNamedType>, variable: string): Parameter['type'] {
  if (isEnumType(type) || isInputObjectType(type)) return type;
  if (type?.name === 'Int' || type?.name === 'String' || type?.name === 'Boolean') return type.name;
  throw new Error(
    `${variable} is of type ${String(type)}; endpoints take Int, String, Boolean, enums and lists of objects`,
  );
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** Bounds from the description. Defaults: ids in an address, any 32-bit number in a body. */
function boundsOf(requirement: string, { kind }: Source): Pick<Parameter, 'min' | 'max'> {
  const [, min, max] = /from (\d+)(?: to (\d+))?/.exec(requirement) ?? [];
  return { min: Number(min ?? (kind === 'body' ? INT32.min : 0)), max: Number(max ?? INT32.max) };
}

function argumentsFed(operation: OperationDefinitionNode, schema: GraphQLSchema): Map<string, GraphQLArgument> {
  const found = new Map<string, GraphQLArgument>();
  const info = new TypeInfo(schema);
  const Variable = ({ name }: { name: { value: string } }): void => {
    const argument = info.getArgument();
    if (argument) found.set(name.value, argument);
  };
  visit(operation, visitWithTypeInfo(info, { Variable }));
  return found;
}

export function pathPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

export function namesAt({ parameters }: Pick<CompiledEndpoint, 'parameters'>): NameOf {
  const names = new Map(parameters.map((parameter) => [parameter.feeds, callersName(parameter)]));
  return (argument) => names.get(argument) ?? argument;
}

export function callersName({ name, source }: Parameter): string {
  return 'header' in source ? source.header : name;
}
