import {
  type DocumentNode,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputObjectType,
  getNamedType,
  getNullableType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  parse,
  typeFromAST,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { dependenciesOf, isOfCaller } from '../graphql/cache-policy.ts';
import { compileDocument, type CompiledOperation } from '../graphql/operation.ts';
import type { Dependency } from '../http/answer-cache.ts';
import { type CacheHeaders, cacheHeaders } from '../http/cache-headers.ts';
import type { NameOf } from '../rules/errors.ts';
import { inRestSpelling } from './described.ts';
import type { Endpoint } from './endpoint.ts';

/** Where a parameter comes from. */
export type Source =
  | { readonly kind: 'path' | 'query' | 'body' }
  | { readonly kind: 'header'; readonly header: string };

/** A variable of an endpoint's document: what the request must hold. */
export interface Parameter {
  readonly name: string;
  readonly source: Source;
  readonly type: 'Int' | 'String' | 'Boolean' | GraphQLEnumType | GraphQLInputObjectType;
  /** Whether it takes a list of such values; only texts and objects come in lists. */
  readonly isList: boolean;
  /** What the schema calls each value that a request may write; null unless it is one of few. */
  readonly words: ReadonlyMap<string, string> | null;
  readonly required: boolean;
  /** The argument of the schema that it feeds. */
  readonly feeds: string;
  /** What the schema says of that argument. */
  readonly description: string;
  /** The value where the request gives none, the document's own or the schema's; undefined: there is none. */
  readonly fallback: unknown;
  /** What a value must be, as the sentence of a refusal goes on. */
  readonly mustBe: string;
  /** Throws the domain's refusal of a value that has the right type. */
  readonly check: (value: unknown) => void;
  /** Of a whole number, both included. */
  readonly min: number;
  readonly max: number;
}

export interface CompiledEndpoint extends Endpoint {
  readonly operation: CompiledOperation;
  readonly parameters: readonly Parameter[];
  /** The names of those that stand in the body. */
  readonly fields: readonly string[];
  /** What its answer holds until, where it is kept. */
  readonly dependsOn: readonly Dependency[];
  /** What each of its answers carries, by whether it will ever be another. */
  readonly caching: CacheHeaders;
}

/** THE TABLE, compiled: by method and path, such as `GET /api/rounds/current`, in its own order. */
export type Table = ReadonlyMap<string, CompiledEndpoint>;

export function compileTable(endpoints: readonly Endpoint[], schema: GraphQLSchema): Table {
  return new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, compile(endpoint, schema)]));
}

/** Compiles an endpoint's document against the schema. Throws when the two do not fit: that stops the start. */
function compile(endpoint: Endpoint, schema: GraphQLSchema): CompiledEndpoint {
  const parameters = parametersOf(endpoint, parse(endpoint.document), schema);
  const fields = parameters.filter(({ source }) => source.kind === 'body').map(({ name }) => name);
  const operation = operationOf(endpoint, schema);
  const dependsOn = endpoint.cached === undefined ? [] : dependenciesFor(endpoint, operation);
  const caching = cacheHeaders(endpoint, isOfCaller(operation.selected({})));
  return { ...endpoint, operation, parameters, fields, dependsOn, caching };
}

function dependenciesFor({ path }: Endpoint, operation: CompiledOperation): readonly Dependency[] {
  const dependsOn = dependenciesOf(operation.selected({}));
  if (dependsOn === null) throw new Error(`${path} is kept, but of a field of it is not said what it depends on`);
  return dependsOn;
}

function operationOf({ method, path, document }: Endpoint, schema: GraphQLSchema): CompiledOperation {
  try {
    return compileDocument(schema, document);
  } catch (error) {
    throw new Error(`${method} ${path} does not fit the schema: ${String(error)}`, { cause: error });
  }
}

function parametersOf(endpoint: Endpoint, parsed: DocumentNode, schema: GraphQLSchema): Parameter[] {
  const fed = argumentsFed(parsed, schema);
  const parameters: Parameter[] = [];
  visit(parsed, {
    VariableDefinition({ variable, type: node, defaultValue: ownDefault }) {
      const name = variable.name.value;
      const type = typeFromAST(schema, node);
      if (!isInputType(type)) throw new Error(`${endpoint.path}: $${name} has no input type`);
      const description = inRestSpelling(fed.get(name)?.description ?? '');
      const kind = kindOf(getNamedType(type), `${endpoint.path}: $${name}`);
      const isList = isListType(getNullableType(type));
      const source = sourceOf(endpoint, name);
      const words = wordsOf(kind, endpoint.lowerCase?.includes(name) ?? false);
      const says = isList && kind === 'String' ? 'a list of texts' : mustBe(kind, description, words);
      parameters.push({
        name,
        source,
        type: kind,
        isList,
        words,
        required: isNonNullType(type),
        feeds: fed.get(name)?.name ?? name,
        description,
        fallback: wordFor(
          words,
          ownDefault === undefined ? fed.get(name)?.defaultValue : valueFromASTUntyped(ownDefault),
        ),
        mustBe: says,
        check: fed.get(name)?.extensions.check ?? (() => {}),
        ...boundsOf(says, source),
      });
    },
  });
  return parameters;
}

function sourceOf({ method, path, headers, inQuery }: Endpoint, name: string): Source {
  const header = headers?.[name];
  if (header !== undefined) return { kind: 'header', header };
  if (path.includes(`{${name}}`)) return { kind: 'path' };
  return { kind: method === 'GET' || inQuery?.includes(name) ? 'query' : 'body' };
}

function wordsOf(kind: Parameter['type'], lowerCase: boolean): Parameter['words'] {
  if (!isEnumType(kind)) return null;
  return new Map(kind.getValues().map(({ name }) => [lowerCase ? name.toLowerCase() : name, name]));
}

/** How a request would write the value. */
function wordFor(words: Parameter['words'], value: unknown): unknown {
  return [...(words ?? [])].find(([, name]) => name === value)?.[0] ?? value;
}

/** What the request is checked for: of a whole number its description has the bounds, after a colon. */
function mustBe(kind: Parameter['type'], description: string, words: Parameter['words']): string {
  if (kind === 'String') return 'text';
  if (kind === 'Boolean') return 'true or false';
  if (isInputObjectType(kind)) return 'a list of objects';
  if (words !== null) return `one of ${[...words.keys()].join(', ')}`;
  const [, bounds] = /: (a whole number[^.]*)\.$/.exec(description) ?? [];
  if (bounds === undefined) throw new Error(`A description must end with ": a whole number ...." (got ${description})`);
  return bounds;
}

function kindOf(type: ReturnType<typeof getNamedType>, place: string): Parameter['type'] {
  if (isEnumType(type) || isInputObjectType(type)) return type;
  if (type?.name === 'Int' || type?.name === 'String' || type?.name === 'Boolean') return type.name;
  throw new Error(
    `${place} is of type ${String(type)}; endpoints take Int, String, Boolean, enums and lists of objects`,
  );
}

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/** The bounds that the words name. Where they name none, an address has ids alone, and a body whatever fits. */
function boundsOf(says: string, { kind }: Source): Pick<Parameter, 'min' | 'max'> {
  const [, min, max] = /from (\d+)(?: to (\d+))?/.exec(says) ?? [];
  return { min: Number(min ?? (kind === 'body' ? INT32.min : 0)), max: Number(max ?? INT32.max) };
}

/** The argument that each variable stands for. */
function argumentsFed(parsed: DocumentNode, schema: GraphQLSchema): Map<string, GraphQLArgument> {
  const found = new Map<string, GraphQLArgument>();
  const info = new TypeInfo(schema);
  const Variable = ({ name }: { name: { value: string } }): void => {
    const argument = info.getArgument();
    if (argument) found.set(name.value, argument);
  };
  visit(parsed, visitWithTypeInfo(info, { Variable }));
  return found;
}

/** A path of the table as Express writes it. */
export function pathPattern(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

/** What an endpoint calls the schema's arguments: the header, or the parameter, that feeds each. */
export function namesAt({ parameters }: Pick<CompiledEndpoint, 'parameters'>): NameOf {
  const names = new Map(parameters.map((parameter) => [parameter.feeds, callersName(parameter)]));
  return (argument) => names.get(argument) ?? argument;
}

/** What REST calls a field of an object that stands in a list, or the place of one in it. */
export function restName(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** What a caller calls a parameter: its header, or its name. */
export function callersName({ name, source }: Parameter): string {
  return 'header' in source ? source.header : name;
}
