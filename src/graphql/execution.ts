import {
  getArgumentValues,
  GraphQLError,
  type GraphQLLeafType,
  type GraphQLResolveInfo,
  locatedError,
  OperationTypeNode,
  responsePathAsArray,
} from 'graphql';
import { inspect } from 'graphql/jsutils/inspect.js';

import type { OperationParts, SelectedField, Selection, Shape, Values } from './selection.ts';

type Path = GraphQLResolveInfo['path'];
type Data = Record<string, unknown>;

export interface ExecutionNeeds extends OperationParts {
  readonly selection: Selection;
  readonly context: unknown;
  readonly rootValue?: unknown;
  /** Coerced, with their defaults. */
  readonly variables: Values;
}

/** An answer before its errors are formatted. */
export interface Executed {
  readonly data: Data | null;
  readonly errors?: readonly GraphQLError[];
}

/** One execution of an operation. */
interface Run extends ExecutionNeeds {
  readonly errors: GraphQLError[];
  /** Arguments that depend on variables, by the field's index: worked out once however often the field comes. */
  readonly args: (Values | undefined)[];
}

/**
 * Executes a selection as graphql-js executes its document: the same resolvers in the same order, the same errors at the
 * same places. What graphql-js works out anew for each request and each row is known from the selection.
 */
export function executeSelection(needs: ExecutionNeeds): Executed | Promise<Executed> {
  const run: Run = { ...needs, errors: [], args: [] };
  const answered = (data: Data | null): Executed => (run.errors.length === 0 ? { data } : { data, errors: run.errors });
  const failed = (error: unknown): Executed => {
    run.errors.push(asGraphQLError(error));
    return answered(null);
  };
  try {
    const isMutation = needs.operation.operation === OperationTypeNode.MUTATION;
    const data = isMutation
      ? fieldsInTurn(run, needs.selection)
      : fieldsOf(run, needs.selection, needs.rootValue, undefined);
    return isPromise(data) ? data.then(answered, failed) : answered(data);
  } catch (error) {
    return failed(error);
  }
}

/** Root fields of a mutation: each begins when the one before has ended. */
async function fieldsInTurn(run: Run, { fields }: Selection): Promise<Data> {
  const data: Data = {};
  for (const field of fields) data[field.key] = await fieldOf(new Place(run, field, undefined), run.rootValue);
  return data;
}

function fieldsOf(run: Run, { fields }: Selection, source: unknown, path: Path | undefined): Data | Promise<Data> {
  const data: Data = {};
  let waiting: Promise<unknown>[] | undefined;
  try {
    for (const field of fields) {
      const value = fieldOf(new Place(run, field, path), source);
      data[field.key] = value;
      if (!isPromise(value)) continue;
      waiting ??= [];
      waiting.push(value.then((late) => (data[field.key] = late)));
    }
  } catch (error) {
    if (waiting === undefined) throw error;
    return afterAll(waiting, error);
  }
  return waiting === undefined ? data : Promise.all(waiting).then(() => data);
}

/** A field of one object: where it stands, and what a resolver may ask about that. */
class Place implements GraphQLResolveInfo {
  readonly run: Run;
  readonly field: SelectedField;
  readonly parent: Path | undefined;

  constructor(run: Run, field: SelectedField, parent: Path | undefined) {
    this.run = run;
    this.field = field;
    this.parent = parent;
  }

  get path(): Path {
    return { prev: this.parent, key: this.field.key, typename: this.field.parentType.name };
  }
  /** What is selected below: resolvers may read it all at once (src/resolvers/look-ahead.ts). */
  get wanted(): WantedField {
    return wantedOf(this.run, this.field);
  }
  get fieldName() {
    return this.field.definition.name;
  }
  get fieldNodes() {
    return this.field.nodes;
  }
  get returnType() {
    return this.field.definition.type;
  }
  get parentType() {
    return this.field.parentType;
  }
  get schema() {
    return this.run.schema;
  }
  get fragments() {
    return this.run.fragments;
  }
  get rootValue() {
    return this.run.rootValue;
  }
  get operation() {
    return this.run.operation;
  }
  get variableValues() {
    return this.run.variables;
  }
}

/** A field with its arguments and the fields that are selected of its value. */
interface WantedField {
  readonly key: string;
  readonly name: string;
  readonly args: Values;
  readonly selected: readonly WantedField[];
}

function wantedOf(run: Run, field: SelectedField): WantedField {
  let { shape } = field;
  while (shape.kind === 'list') shape = shape.item;
  const inner = shape.kind === 'object' ? shape.selection.fields : [];
  return {
    key: field.key,
    name: field.definition.name,
    args: argsOf(run, field),
    selected: inner.map((one) => wantedOf(run, one)),
  };
}

function fieldOf(place: Place, source: unknown): unknown {
  const { shape } = place.field;
  try {
    const value = resolved(place, source);
    const completed = isPromise(value)
      ? value.then((late) => complete(place, shape, late, shape.kind === 'leaf' ? undefined : place.path))
      : complete(place, shape, value, shape.kind === 'leaf' ? undefined : place.path);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => withoutValue(place, shape, error, place.path));
  } catch (error) {
    return withoutValue(place, shape, error, place.path);
  }
}

function resolved(place: Place, source: unknown): unknown {
  const { run, field } = place;
  if (field.resolve !== null) return field.resolve(source, argsOf(run, field), run.context, place);
  if (typeof source !== 'object' || source === null) return undefined;
  const value: unknown = Reflect.get(source, field.definition.name);
  return typeof value === 'function' ? value.call(source, argsOf(run, field), run.context, place) : value;
}

function argsOf(run: Run, { args, definition, index, nodes: [node] }: SelectedField): Values {
  if (args !== null) return args;
  const known = run.args[index];
  if (known !== undefined) return known;
  if (node === undefined) throw new Error(`${definition.name} is selected without a field`);
  const found = getArgumentValues(definition, node, run.variables);
  run.args[index] = found;
  return found;
}

/** `path` is the value's own; of leaves nobody asks for it. */
function complete(place: Place, shape: Shape, value: unknown, path: Path | undefined): unknown {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (shape.nullable) return null;
    const { parentType, definition } = place.field;
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`);
  }
  switch (shape.kind) {
    case 'leaf':
      return serialised(shape.type, value);
    case 'object':
      return fieldsOf(place.run, shape.selection, value, path);
    case 'list':
      return itemsOf(place, shape.item, value, path);
  }
}

function serialised(type: GraphQLLeafType, value: unknown): unknown {
  const found: unknown = type.serialize(value);
  if (found !== null && found !== undefined) return found;
  throw new Error(
    `Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(found)}`,
  );
}

function itemsOf(place: Place, shape: Shape, values: unknown, list: Path | undefined): unknown {
  if (!isIterable(values)) {
    const { parentType, definition } = place.field;
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`,
    );
  }
  const items: unknown[] = [];
  let hasWaiting = false;
  try {
    for (const value of values) {
      const item = itemOf(place, shape, value, { prev: list, key: items.length, typename: undefined });
      hasWaiting ||= isPromise(item);
      items.push(item);
    }
  } catch (error) {
    if (!hasWaiting) throw error;
    return afterAll(items, error);
  }
  return hasWaiting ? Promise.all(items) : items;
}

/** Fails once all that is under way has ended, so that nothing is behind an answer. */
async function afterAll(begun: readonly unknown[], error: unknown): Promise<never> {
  await Promise.allSettled(begun);
  throw error;
}

function itemOf(place: Place, shape: Shape, value: unknown, path: Path): unknown {
  try {
    const completed = isPromise(value)
      ? value.then((late) => complete(place, shape, late, path))
      : complete(place, shape, value, path);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => withoutValue(place, shape, error, path));
  } catch (error) {
    return withoutValue(place, shape, error, path);
  }
}

/** Null with an error where it may be null; otherwise the object around it fails. */
function withoutValue({ run, field }: Place, shape: Shape, error: unknown, path: Path): null {
  const located = locatedError(error, [...field.nodes], responsePathAsArray(path));
  if (!shape.nullable) throw located;
  run.errors.push(located);
  return null;
}

function asGraphQLError(error: unknown): GraphQLError {
  if (error instanceof GraphQLError) return error;
  throw error;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
