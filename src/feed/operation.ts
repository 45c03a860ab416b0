import {
  type DocumentNode,
  execute,
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
import { within } from '../patience.ts';
import type { Operation } from './channel.ts';
import { sharedDocument } from './shared-document.ts';

/** A subscription as a client asks for it, parsed and valid. */
export interface Asked {
  readonly document: DocumentNode;
  readonly operationName: string | null | undefined;
  readonly variables: Readonly<Record<string, unknown>> | null | undefined;
  /** The key that comes with it, or null. */
  readonly authorization: string | null;
}

export interface OperationNeeds {
  readonly schema: GraphQLSchema;
  /** `Type.field` of all that its owner alone may see. */
  readonly ownFields: ReadonlySet<string>;
  /** A fresh context for one execution, which spends no budget; for nobody where the results are for everybody. */
  readonly newContext: (authorization: string | null) => unknown;
  readonly formatErrors: (errors: readonly GraphQLError[]) => unknown;
}

/**
 * Makes an operation that can be shared: with everybody, or with those of the same key where it asks for what is one's
 * own. Throws `GraphQLError` for variables that the schema does not take.
 */
export function sharedOperation(needs: OperationNeeds, asked: Asked): Operation {
  const { schema } = needs;
  const { operation, node } = subscriptionOf(asked);
  const field = schema.getSubscriptionType()?.getFields()[node.name.value];
  if (field === undefined) throw new GraphQLError('The subscription asks for no field of the schema.');
  const given = asked.variables ?? {};
  const { after, ...args } = getArgumentValues(field, node, variableValues(schema, operation, given));
  const document = sharedDocument(asked.document, operation, node);
  const variables = Object.fromEntries(
    variablesOf(document).flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]]] : [])),
  );
  const viewer = asksForOwn(schema, document, needs.ownFields) ? asked.authorization : null;
  return {
    key: JSON.stringify([viewer, print(document), variables]),
    field: field.name,
    args,
    after: typeof after === 'number' ? after : null,
    execute: async (rootValue) => {
      const contextValue = needs.newContext(viewer);
      const result = await within(ANSWER_MS, async () =>
        execute({ schema, document, variableValues: variables, contextValue, rootValue }),
      );
      return resultText(result, needs.formatErrors);
    },
  };
}

/** A result without data is no news of the feed: it ends the subscription, and the client resumes. */
function resultText({ data, errors }: ExecutionResult, formatErrors: OperationNeeds['formatErrors']): string {
  const [error] = errors ?? [];
  if (error && data == null) throw error;
  return JSON.stringify({ data, ...(errors ? { errors: formatErrors(errors) } : {}) });
}

function subscriptionOf({ document, operationName }: Asked): { operation: OperationDefinitionNode; node: FieldNode } {
  const operation = getOperationAST(document, operationName);
  const [node, ...more] = operation?.selectionSet.selections ?? [];
  if (operation && node?.kind === Kind.FIELD && more.length === 0) return { operation, node };
  throw new GraphQLError('A subscription names its one field itself, once, not through a fragment.');
}

/** With their defaults, and as the schema has them: a single value where it takes a list becomes a list. */
function variableValues(
  schema: GraphQLSchema,
  { variableDefinitions }: OperationDefinitionNode,
  given: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { coerced, errors } = getVariableValues(schema, variableDefinitions ?? [], given);
  const [error] = errors ?? [];
  // Whatever a scalar's parser threw, it is about what was given.
  if (error) throw new GraphQLError(error.message, { nodes: error.nodes ?? [] });
  return coerced ?? {};
}

function variablesOf({ definitions }: DocumentNode): string[] {
  return definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION
      ? (definition.variableDefinitions?.map(({ variable }) => variable.name.value) ?? [])
      : [],
  );
}

function asksForOwn(schema: GraphQLSchema, document: DocumentNode, ownFields: ReadonlySet<string>): boolean {
  const types = new TypeInfo(schema);
  let found = false;
  const Field = ({ name }: FieldNode): void => {
    found ||= ownFields.has(`${types.getParentType()?.name}.${name.value}`);
  };
  visit(document, visitWithTypeInfo(types, { Field }));
  return found;
}
