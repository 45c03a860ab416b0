import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type FieldNode,
  getArgumentValues,
  getOperationAST,
  getVariableValues,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';

import { ANSWER_MS } from '../limits.ts';
import { withDeadline } from '../deadline.ts';
import type { Execute } from './executions.ts';

/** A subscription operation, ready to run. */
export interface Operation {
  /** Equal for operations whose results are the same for everybody: document, variables, and the viewer if it matters. */
  readonly key: string;
  /** The field of `type Subscription`, and its arguments. */
  readonly field: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** For the log, the seq of the last event seen. Not part of the key. */
  readonly after: number | null;
  /** What one execution costs, as a query would. */
  readonly cost: number;
  /** Whether it selects only fields of the event itself, which need no statement. */
  readonly isPlain: boolean;
  readonly execute: Execute;
}

/** A subscription as a client requests it, parsed and valid. */
interface SubscriptionRequest {
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  /** The key that comes with it, or null. */
  readonly authorization: string | null;
}

export interface OperationDeps {
  readonly schema: GraphQLSchema;
  /** `Type.field` of all that its owner alone may see. */
  readonly ownFields: ReadonlySet<string>;
  /** A new context for one execution, which spends no budget; without a viewer where the results are for everybody. */
  readonly newContext: (authorization: string | null) => unknown;
  readonly formatErrors: (errors: readonly GraphQLError[]) => unknown;
  /** Executes a valid document. */
  readonly execute: (args: ExecutionArgs) => ExecutionResult | Promise<ExecutionResult>;
  /** What one execution costs. */
  readonly costOf: (request: Pick<SubscriptionRequest, 'document' | 'operationName' | 'variables'>) => number;
}

/**
 * Makes an operation that can be shared: with everybody, or with subscribers of the same key where it selects fields that
 * only the owner may see. Throws `GraphQLError` for variables that the schema does not accept.
 */
export function sharedOperation(deps: OperationDeps, request: SubscriptionRequest): Operation {
  const { schema } = deps;
  const { operation, node } = subscriptionOf(request);
  const field = schema.getSubscriptionType()?.getFields()[node.name.value];
  if (field === undefined) throw new GraphQLError('The subscription asks for no field of the schema.');
  const given = request.variables ?? {};
  const { after, ...args } = getArgumentValues(field, node, variableValues(schema, operation, given));
  const document = sharedDocument(request.document, operation, node);
  const variables = Object.fromEntries(
    variablesOf(document).flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]]] : [])),
  );
  const viewer = selectsOwn(schema, document, deps.ownFields) ? request.authorization : null;
  return {
    key: JSON.stringify([viewer, print(document), variables]),
    field: field.name,
    args,
    after: typeof after === 'number' ? after : null,
    cost: deps.costOf(request),
    isPlain: !selectsNested(document, node),
    execute: (roots) => {
      // One context for all root values: its loaders read everything in one statement.
      const contextValue = deps.newContext(viewer);
      return roots.map(async (rootValue) => {
        const result = await withDeadline(ANSWER_MS, async () =>
          deps.execute({ schema, document, variableValues: variables, contextValue, rootValue }),
        );
        return resultText(result, deps.formatErrors);
      });
    },
  };
}

/** Whether an object is selected below the one field of the operation. */
function selectsNested(document: DocumentNode, { name }: FieldNode): boolean {
  let found = false;
  const Field = (field: FieldNode): void => {
    found ||= field.selectionSet !== undefined && field.name.value !== name.value;
  };
  visit(document, { Field });
  return found;
}

/** A result without data must not be sent: it ends the subscription, and the client resumes. */
function resultText({ data, errors }: ExecutionResult, formatErrors: OperationDeps['formatErrors']): string {
  const [error] = errors ?? [];
  if (error && data == null) throw error;
  return JSON.stringify({ data, ...(errors ? { errors: formatErrors(errors) } : {}) });
}

function subscriptionOf({ document, operationName }: SubscriptionRequest): {
  operation: OperationDefinitionNode;
  node: FieldNode;
} {
  const operation = getOperationAST(document, operationName);
  const [node, ...more] = operation?.selectionSet.selections ?? [];
  if (operation && node?.kind === Kind.FIELD && more.length === 0) return { operation, node };
  throw new GraphQLError('A subscription must select exactly one root field, and not through a fragment.');
}

/** With their defaults, and as the schema has them: a single value where it takes a list becomes a list. */
function variableValues(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions ?? [], given);
  const [error] = errors ?? [];
  // Whatever a scalar's parser threw, the client's value caused it.
  if (error) throw new GraphQLError(error.message, { nodes: error.nodes ?? [] });
  return coerced ?? {};
}

/** The argument that says where a subscriber begins: the results do not depend on it. */
const RESUME = 'after';

/**
 * The document without where its subscriber begins, so that one execution serves all who ask for the same: the one
 * operation and the fragments, without the argument `after` of its field, and without the variables that only it used.
 */
function sharedDocument(document: DocumentNode, operation: OperationDefinitionNode, field: FieldNode): DocumentNode {
  const fieldOfAll: FieldNode = {
    ...field,
    arguments: field.arguments?.filter(({ name }) => name.value !== RESUME) ?? [],
  };
  const selections = operation.selectionSet.selections.map((each) => (each === field ? fieldOfAll : each));
  const body = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  const used = new Set([{ ...body, variableDefinitions: [] }, ...fragments].flatMap(variablesIn));
  const variableDefinitions =
    operation.variableDefinitions?.filter(({ variable }) => used.has(variable.name.value)) ?? [];
  return { kind: Kind.DOCUMENT, definitions: [{ ...body, variableDefinitions }, ...fragments] };
}

function variablesIn(node: DocumentNode['definitions'][number]): string[] {
  const names: string[] = [];
  visit(node, { Variable: ({ name }) => void names.push(name.value) });
  return names;
}

function variablesOf({ definitions }: DocumentNode): string[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? (definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [])
      : [],
  );
}

function selectsOwn(schema: GraphQLSchema, document: DocumentNode, ownFields: ReadonlySet<string>): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  const Field = ({ name }: FieldNode): void => {
    found ||= ownFields.has(`${types.getParentType()?.name}.${name.value}`);
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return found;
}
