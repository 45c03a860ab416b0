import { type FieldNode, getArgumentValues, GraphQLError, Kind, print, visit } from 'graphql';

import type { Asked } from '../graphql/document-transport.ts';
import type { Executed } from '../graphql/execution.ts';
import { type OperationParts, type Selection, selectionsBelow } from '../graphql/selection.ts';
import { ANSWER_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Execute } from './executions.ts';

/** A subscription operation, ready to run. */
export interface Operation {
  /** Equal for operations whose results are the same for everybody: what is selected, and the viewer if it matters. */
  readonly key: string;
  /** The field of `type Subscription`, and its arguments. */
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** For the log, the seq of the last event seen. Not part of the key. */
  readonly after: number | null;
  /** What one execution costs, as a query would. */
  readonly cost: number;
  /** Heap that it keeps while anybody subscribes to it, by estimate. */
  readonly bytes: number;
  /** Whether it selects only fields of the event itself, which need no statement. */
  readonly isPlain: boolean;
  readonly execute: Execute;
}

export interface OperationDeps {
  /** `Type.field` of all that its owner alone may see. */
  readonly ownFields: ReadonlySet<string>;
  /** A new context for one execution, which spends no budget; without a viewer where the results are for everybody. */
  readonly newContext: (authorization: string | null) => unknown;
  readonly formatErrors: (errors: readonly GraphQLError[]) => unknown;
}

/**
 * Makes an operation that can be shared: with everybody, or with subscribers of the same key (`authorization`) where it
 * selects fields that only the owner may see. Throws `GraphQLError` for variables that the schema does not accept.
 */
export function sharedOperation(
  deps: OperationDeps,
  { operation, variables: { coerced: variables, errors } }: Pick<Asked, 'operation' | 'variables'>,
  authorization: string | null,
): Operation {
  // Whatever a scalar's parser threw, the client's value caused it.
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
  const key = JSON.stringify([viewer, ...sharedText(operation.parts, node, variables)]);
  return {
    key,
    field: definition.name,
    args,
    after: typeof after === 'number' ? after : null,
    cost: operation.cost(variables)?.used ?? 0,
    bytes: keptBytes(operation.parts, key, below),
    // Below the field there is the event alone.
    isPlain: below.length === 1,
    execute: (roots) => {
      // One context for all root values: its loaders read everything in one statement.
      const context = deps.newContext(viewer);
      return roots.map(async (rootValue) => {
        const result = await withDeadline(ANSWER_MS, async () => operation.execute({ context, variables, rootValue }));
        return resultText(result, deps.formatErrors);
      });
    },
  };
}

/** Measured over documents of 6 to 900 fields, and over one with a list of 1,900 values: within a factor of 2. */
const KEPT_BYTES = { operation: 8192, field: 512, character: 32 } as const;

/** A text that no subscriber shares lives as long as its operation, with all that was made of it. */
function keptBytes({ operation: { loc } }: OperationParts, key: string, below: readonly Selection[]): number {
  const fields = below.reduce((sum, { fields: { length } }) => sum + length, 0);
  const text = loc?.source.body.length ?? 0;
  return KEPT_BYTES.operation + KEPT_BYTES.field * fields + KEPT_BYTES.character * key.length + text;
}

/** A result without data must not be sent: it ends the subscription, and the client resumes. */
function resultText({ data, errors }: Executed, formatErrors: OperationDeps['formatErrors']): string {
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

/** The argument that says where a subscriber begins: the results do not depend on it. */
const RESUME = 'after';

/** What is asked for, as text and the values of its variables, without where its subscriber begins: one execution serves all who ask for the same. */
function sharedText(
  { fragments }: OperationParts,
  field: FieldNode,
  variables: Readonly<Record<string, unknown>>,
): readonly unknown[] {
  const ofAll: FieldNode = {
    ...field,
    arguments: field.arguments?.filter(({ name }) => name.value !== RESUME) ?? [],
  };
  const nodes = [ofAll, ...Object.values(fragments)];
  const values: Record<string, unknown> = {};
  for (const node of nodes)
    visit(node, { Variable: ({ name: { value: name } }) => void (values[name] = variables[name]) });
  return [...nodes.map(print), values];
}
