import { type FieldNode, getArgumentValues, GraphQLError, Kind, locatedError, print, visit } from 'graphql';

import type { CheckedOperation } from '../graphql/document-transport.ts';
import type { ExecutionAnswer } from '../graphql/execution.ts';
import { type OperationParts, type Selection, selectionsBelow } from '../graphql/selection.ts';
import { ANSWER_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Execute, RootValue } from './executions.ts';

export type Operation = ReturnType<typeof sharedOperation>;

export interface OperationDeps {
  readonly ownFields: ReadonlySet<string>;
  /** Spends no budget. Null: without a viewer, for results shared by all subscribers. */
  readonly newContext: (authorization: string | null) => unknown;
  readonly formatErrors: (errors: readonly GraphQLError[]) => unknown;
  /** Executes what needs the database, in a process without one, which refuses own fields. Unset: here. */
  readonly elsewhere?: ((sent: SentOperation, roots: readonly RootValue[]) => readonly Promise<string>[]) | undefined;
}

export type SentOperation = ReturnType<typeof sentOf>;

/** The key of the sharing includes `authorization` if the operation selects fields that only the owner may see. */
export function sharedOperation(
  deps: OperationDeps,
  { operation, variables: { coerced: variables, errors } }: Pick<CheckedOperation, 'operation' | 'variables'>,
  authorization: string | null,
) {
  if (!variables) throw new GraphQLError(errors[0]?.message ?? '', { nodes: errors[0]?.nodes ?? [] });
  const node = onlyFieldOf(operation.parts);
  const selection = operation.selected(variables);
  const below = [...selectionsBelow(selection)];
  const [{ definition } = noField()] = selection.fields;
  const { after, ...args } = getArgumentValues(definition, node, variables);
  const selectsOwn = below.some(({ type, fields }) =>
    fields.some((field) => deps.ownFields.has(`${type.name}.${field.definition.name}`)),
  );
  const viewer = selectsOwn ? authorization : null;
  const { elsewhere } = deps;
  if (viewer !== null && elsewhere !== undefined) throw new GraphQLError(NO_DATABASE);
  const isPlain = below.length === 1;
  const key = JSON.stringify([viewer, ...sharedText(operation.parts, node, variables)]);
  return {
    /** Equal for operations with the same results: the selection, and the viewer if results depend on it. */
    key,
    field: definition.name,
    args,
    after: typeof after === 'number' ? after : null,
    cost: operation.cost(variables)?.used ?? 0,
    bytes: keptBytes(operation.parts, key, below),
    /** True: it selects only fields of the event itself, which need no statement. */
    isPlain,
    execute: (roots: Parameters<Execute>[0]): ReturnType<Execute> => {
      const isHere =
        elsewhere === undefined || (definition.name === LOG_FIELD && (isPlain || roots.every(isOfNoRound)));
      if (!isHere) {
        const results = elsewhere(sentOf(operation.parts, variables), roots);
        return results.map((result) => result.catch((error: unknown) => failAt(node, error)));
      }
      const context = deps.newContext(viewer);
      return roots.map(async (rootValue) => {
        const result = await withDeadline(ANSWER_MS, async () => operation.execute({ context, variables, rootValue }));
        return resultText(result, deps.formatErrors);
      });
    },
  };
}

/** The field whose root values have all that plain selections read. */
const LOG_FIELD = 'events';
export const NO_DATABASE =
  'This process has no database: send queries, mutations and, with a key, subscriptions to own fields to /graphql of a process with ROLE=api.';

/** Nor does an event without a round, such as a heartbeat, need more. */
function isOfNoRound({ [LOG_FIELD]: event }: RootValue): boolean {
  return typeof event === 'object' && event !== null && 'roundId' in event && event.roundId === null;
}

/** Throws as the execution of the field does. */
function failAt(node: FieldNode, error: unknown): never {
  throw locatedError(error, [node], [(node.alias ?? node.name).value]);
}

/** An operation as its client sent it, with all of its variables. */
function sentOf({ operation: { loc, name } }: OperationParts, variables: Readonly<Record<string, unknown>>) {
  return { query: loc?.source.body ?? '', operationName: name?.value, variables };
}

/** Estimates, within a factor of 2 for short and long documents. */
const KEPT_BYTES = { operation: 8192, field: 512, character: 32 } as const;

/** A text that no subscriber shares lives as long as its operation, with all that was parsed from it. */
function keptBytes({ operation: { loc } }: OperationParts, key: string, below: readonly Selection[]): number {
  const fields = below.reduce((sum, { fields: { length } }) => sum + length, 0);
  const text = loc?.source.body.length ?? 0;
  return KEPT_BYTES.operation + KEPT_BYTES.field * fields + KEPT_BYTES.character * key.length + text;
}

/** A result without data must not be sent: it ends the subscription, and the client resumes. */
function resultText({ data, errors }: ExecutionAnswer, formatErrors: OperationDeps['formatErrors']): string {
  const [error] = errors ?? [];
  if (error && data == null) throw error;
  return JSON.stringify({ data, ...(errors ? { errors: formatErrors(errors) } : {}) });
}

function onlyFieldOf({ operation }: OperationParts): FieldNode {
  const [node, ...more] = operation.selectionSet.selections;
  return node?.kind === Kind.FIELD && more.length === 0 ? node : noField();
}

function noField(): never {
  throw new GraphQLError('A subscription must select exactly one root field, and not through a fragment.');
}

const RESUME = 'after';

function sharedText(
  { fragments }: OperationParts,
  field: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const ofAll: FieldNode = { ...field, arguments: field.arguments?.filter(({ name }) => name.value !== RESUME) ?? [] };
  const nodes = [ofAll, ...Object.values(fragments)];
  const values: Record<string, unknown> = {};
  for (const node of nodes)
    visit(node, { Variable: ({ name: { value: name } }) => void (values[name] = variables[name]) });
  return [...nodes.map(print), values];
}
