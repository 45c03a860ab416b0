import { inspect } from 'node:util';

import { GraphQLError, type GraphQLLeafType, locatedError, OperationTypeNode, responsePathAsArray } from 'graphql';

import { argsOf, type Path, ResolveInfo, type Run } from './resolve-info.ts';
import { isTurnOver, ownTurn } from '../turns.ts';
import type { SelectedField, Selection, Shape, Values } from './selection.ts';

type Data = Record<string, unknown>;

export interface ExecutionAnswer {
  readonly data: Data | null;
  readonly errors?: readonly GraphQLError[];
}

/** Same resolvers, order, errors and paths as graphql-js. Work that graphql-js repeats for each row is done once. */
export function executeSelection(run: Run): ExecutionAnswer | Promise<ExecutionAnswer> {
  const answered = (data: Data | null): ExecutionAnswer =>
    run.errors.length === 0 ? { data } : { data, errors: run.errors };
  const failed = (error: unknown): ExecutionAnswer => {
    if (!(error instanceof GraphQLError)) throw error;
    run.errors.push(error);
    return answered(null);
  };
  try {
    const isMutation = run.parts.operation.operation === OperationTypeNode.MUTATION;
    const data = isMutation ? fieldsInTurn(run, run.selection) : fieldsOf(run, run.selection, run.rootValue, undefined);
    return isPromise(data) ? data.then(answered, failed) : answered(data);
  } catch (error) {
    return failed(error);
  }
}

async function fieldsInTurn(run: Run, selection: Selection): Promise<Data> {
  const data = newData(selection);
  for (const field of selection.fields)
    data[field.key] = await fieldOf(new ResolveInfo(run, field, undefined), run.rootValue);
  return data;
}

function fieldsOf(run: Run, selection: Selection, source: unknown, path: Path | undefined): Data | Promise<Data> {
  const data = newData(selection);
  let waiting: Promise<unknown>[] | undefined;
  try {
    for (const field of selection.fields) {
      const plain = plainLeaf(field, source);
      const value = plain === undefined ? fieldOf(new ResolveInfo(run, field, path), source) : plain;
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

/** In an ordinary object `__proto__` would set the prototype. */
function newData({ namesProto }: Selection): Data {
  return namesProto ? Object.create(null) : {};
}

function fieldOf(info: ResolveInfo, source: unknown): unknown {
  const { shape } = info.field;
  let value: unknown;
  try {
    value = resolved(info, source);
  } catch (error) {
    return withoutValue(info, shape, error, info.path);
  }
  return valueAt(info, shape, value, shape.kind === 'leaf' ? undefined : info.path);
}

function resolved(info: ResolveInfo, source: unknown): unknown {
  const { run, field } = info;
  if (field.resolve !== null) return field.resolve(source, argsOf(run, field), run.context, info);
  if (typeof source !== 'object' || source === null) return undefined;
  const value: unknown = Reflect.get(source, field.definition.name);
  return typeof value === 'function' ? value.call(source, argsOf(run, field), run.context, info) : value;
}

function complete(info: ResolveInfo, shape: Shape, value: unknown, path: Path | undefined): unknown {
  if (value instanceof Error) throw value;
  if (value === null || value === undefined) {
    if (shape.nullable) return null;
    const { parentType, definition } = info.field;
    throw new Error(`Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`);
  }
  switch (shape.kind) {
    case 'leaf':
      return serialised(shape.type, value);
    case 'object':
      return fieldsOf(info.run, shape.selection, value, path);
    case 'list':
      return itemsOf(info, shape.item, value, path);
  }
}

function serialised(type: GraphQLLeafType, value: unknown): unknown {
  const found: unknown = type.serialize(value);
  if (found !== null && found !== undefined) return found;
  throw new Error(
    `Expected \`${type.name}.serialize(${inspect(value)})\` to return non-nullable value, returned: ${inspect(found)}`,
  );
}

function itemsOf(info: ResolveInfo, shape: Shape, values: unknown, list: Path | undefined): unknown {
  if (!isIterable(values)) {
    const { parentType, definition } = info.field;
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`,
    );
  }
  const items: unknown[] = [];
  let hasWaiting = false;
  try {
    for (const value of values) {
      const plain = plainValue(shape, value);
      const item =
        plain === undefined
          ? valueAt(info, shape, value, { prev: list, key: items.length, typename: undefined })
          : plain;
      hasWaiting ||= isPromise(item);
      items.push(item);
    }
  } catch (error) {
    if (!hasWaiting) throw error;
    return afterAll(items, error);
  }
  return hasWaiting ? Promise.all(items) : items;
}

/** A valid leaf property, as in nearly all fields of a list: without `ResolveInfo`. Undefined otherwise. */
function plainLeaf({ resolve, shape, definition: { name } }: SelectedField, source: unknown): unknown {
  if (resolve !== null || shape.kind !== 'leaf' || !isRecord(source)) return undefined;
  return plainValue(shape, source[name]);
}

function plainValue(shape: Shape, value: unknown): unknown {
  if (shape.kind !== 'leaf') return undefined;
  if (value === null) return shape.nullable ? null : undefined;
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined;
  try {
    return shape.type.serialize(value);
  } catch {
    // The general path meets the same error and locates it.
    return undefined;
  }
}

function isRecord(value: unknown): value is Values {
  return typeof value === 'object' && value !== null;
}

/** Rejects once all started work has ended, so that nothing runs after the answer. */
async function afterAll(begun: readonly unknown[], error: unknown): Promise<never> {
  await Promise.allSettled(begun);
  throw error;
}

/** `path` may be undefined for a field's leaf, which needs it only in an error. */
function valueAt(info: ResolveInfo, shape: Shape, value: unknown, path: Path | undefined): unknown {
  try {
    const completed = isPromise(value)
      ? inOwnTurn(value, (late) => complete(info, shape, late, path))
      : complete(info, shape, value, path);
    if (!isPromise(completed)) return completed;
    return completed.then(undefined, (error: unknown) => withoutValue(info, shape, error, path ?? info.path));
  } catch (error) {
    return withoutValue(info, shape, error, path ?? info.path);
  }
}

function withoutValue({ run, field }: ResolveInfo, shape: Shape, error: unknown, path: Path): null {
  const located = locatedError(error, [...field.nodes], responsePathAsArray(path));
  if (!shape.nullable) throw located;
  run.errors.push(located);
  return null;
}

/** Rows that waited together resume at once: other requests get turns in between. */
function inOwnTurn(value: Promise<unknown>, work: (late: unknown) => unknown): Promise<unknown> {
  return value.then((late) => (isTurnOver() ? ownTurn().then(() => work(late)) : work(late)));
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}
