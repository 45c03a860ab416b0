import { type DocumentNode, type FieldNode, Kind, type OperationDefinitionNode, visit } from 'graphql';

/** The argument that says where a subscriber begins: the results themselves do not depend on it. */
const RESUME = 'after';

/**
 * The document without where its subscriber begins, so that all who ask for the same are told by one execution: the one
 * operation and the fragments, without the argument `after` of its field, and without the variables that served nothing
 * else.
 */
export function sharedDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  field: FieldNode,
): DocumentNode {
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
