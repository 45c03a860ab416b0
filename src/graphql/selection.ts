import {
  defaultFieldResolver,
  type DirectiveNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getDirectiveValues,
  type GraphQLField,
  type GraphQLFieldResolver,
  GraphQLIncludeDirective,
  type GraphQLLeafType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';

import { collectedFields, type Part } from './collected-fields.ts';

export type Values = Readonly<Record<string, unknown>>;

export interface Selection {
  readonly type: GraphQLObjectType;
  readonly fields: readonly SelectedField[];
  /** Null if arguments depend on variables; otherwise the same for all requests. */
  readonly known: readonly FieldSelection[] | null;
  readonly namesProto: boolean;
}

export interface SelectedField {
  readonly key: string;
  readonly index: number;
  readonly parentType: GraphQLObjectType;
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  /** Null: the property with the field's name. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown> | null;
  readonly args: Values | null;
  readonly shape: Shape;
  readonly known: FieldSelection | null;
}

export interface FieldSelection {
  readonly key: string;
  readonly name: string;
  readonly args: Values;
  readonly selected: readonly FieldSelection[];
}

/** `below` returns selections of fields whose arguments depend on variables; null if one is unknown. */
export function fieldSelectionOf(
  { key, definition, shape }: Pick<SelectedField, 'key' | 'definition' | 'shape'>,
  args: Values,
  below: (field: SelectedField) => FieldSelection | null,
): FieldSelection | null {
  const inner = selectionIn(shape);
  const selected = inner === null ? [] : (inner.known ?? allOf(inner.fields.map(below)));
  return selected && { key, name: definition.name, args, selected };
}

function allOf(found: readonly (FieldSelection | null)[]): readonly FieldSelection[] | null {
  const all = found.filter((one) => one !== null);
  return all.length < found.length ? null : all;
}

export type Shape =
  | { readonly kind: 'leaf'; readonly nullable: boolean; readonly type: GraphQLLeafType }
  | { readonly kind: 'object'; readonly nullable: boolean; readonly selection: Selection }
  | { readonly kind: 'list'; readonly nullable: boolean; readonly item: Shape };

export function selectionIn(shape: Shape): Selection | null {
  if (shape.kind === 'list') return selectionIn(shape.item);
  return shape.kind === 'object' ? shape.selection : null;
}

export function* selectionsBelow({ fields }: Selection): Generator<Selection> {
  for (const { shape } of fields) {
    const inner = selectionIn(shape);
    if (inner === null) continue;
    yield inner;
    yield* selectionsBelow(inner);
  }
}

export interface OperationParts {
  readonly schema: GraphQLSchema;
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
}

/** Applies `@skip` and `@include`. Throws for interfaces and unions, which the schema lacks. */
export function selectionOf(parts: OperationParts, variables: Values): Selection {
  const { schema, operation, fragments } = parts;
  const root = schema.getRootType(operation.operation);
  if (!root) throw new Error(`The schema has no type for a ${operation.operation}`);
  let count = 0;
  const fieldOf = (parentType: GraphQLObjectType, key: string, found: readonly Part<FieldNode>[]): SelectedField => {
    const nodes = found.map(({ node: field }) => field);
    const [node] = nodes;
    if (node === undefined) throw new Error(`${key} is selected without a field`);
    const definition = definitionOf(parentType, node.name.value);
    const index = count;
    count += 1;
    const args = usesVariables(node) ? null : getArgumentValues(definition, node);
    const shape = shapeOf(definition.type, found);
    return {
      key,
      index,
      parentType,
      definition,
      nodes,
      resolve: resolverOf(definition, parentType),
      args,
      shape,
      known: args && fieldSelectionOf({ key, definition, shape }, args, ({ known }) => known),
    };
  };
  const isTaken = (node: SelectionNode): boolean =>
    node.directives?.length === 0 ||
    (getDirectiveValues(GraphQLSkipDirective, node, variables)?.['if'] !== true &&
      getDirectiveValues(GraphQLIncludeDirective, node, variables)?.['if'] !== false);
  // Validation ensures that fragments match their type.
  const selectionFrom = (type: GraphQLObjectType, selecting: readonly Part[]): Selection => {
    const collected = collectedFields(selecting, { fragmentOf: (name) => fragments[name], isTaken });
    const fields = [...collected].map(([key, found]) => fieldOf(type, key, found));
    return { type, fields, known: allOf(fields.map(({ known }) => known)), namesProto: collected.has('__proto__') };
  };
  const shapeOf = (type: GraphQLOutputType, selecting: readonly Part[], nullable = true): Shape => {
    if (isNonNullType(type)) return shapeOf(type.ofType, selecting, false);
    if (isListType(type)) return { kind: 'list', nullable, item: shapeOf(type.ofType, selecting) };
    if (isLeafType(type)) return { kind: 'leaf', nullable, type };
    if (!isObjectType(type)) throw new Error(`${type.name} is no object type`);
    return { kind: 'object', nullable, selection: selectionFrom(type, selecting) };
  };
  return selectionFrom(root, [{ node: operation, inside: [] }]);
}

const META_FIELDS = [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef];

function definitionOf(parentType: GraphQLObjectType, name: string): GraphQLField<unknown, unknown> {
  const found = META_FIELDS.find((field) => field.name === name) ?? parentType.getFields()[name];
  if (found === undefined) throw new Error(`${parentType.name} has no field ${name}`);
  return found;
}

function resolverOf(definition: GraphQLField<unknown, unknown>, parentType: GraphQLObjectType) {
  if (definition === TypeNameMetaFieldDef) return () => parentType.name;
  const { resolve } = definition;
  return resolve === undefined || resolve === defaultFieldResolver ? null : resolve;
}

function usesVariables({ arguments: given }: FieldNode): boolean {
  let found = false;
  for (const argument of given ?? []) visit(argument, { Variable: () => void (found = true) });
  return found;
}

export function variablesFeeding(
  { operation, fragments }: Pick<OperationParts, 'operation' | 'fragments'>,
  isMeant: (of: 'directive' | 'field', name: string) => boolean,
): readonly string[] {
  const names = new Set<string>();
  const addThose = (of: 'directive' | 'field') => (node: FieldNode | DirectiveNode) => {
    for (const argument of node.arguments ?? []) {
      if (isMeant(of, argument.name.value)) visit(argument, { Variable: ({ name }) => void names.add(name.value) });
    }
  };
  const visitor = { Field: addThose('field'), Directive: addThose('directive') };
  for (const definition of [operation, ...Object.values(fragments)]) visit(definition, visitor);
  return [...names];
}
