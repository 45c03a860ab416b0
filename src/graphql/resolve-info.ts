import { getArgumentValues, type GraphQLError, type GraphQLResolveInfo } from 'graphql';

import {
  type FieldSelection,
  fieldSelectionOf,
  type OperationParts,
  type SelectedField,
  type Selection,
  type Values,
} from './selection.ts';

export type Path = GraphQLResolveInfo['path'];

export interface Run {
  readonly parts: OperationParts;
  readonly selection: Selection;
  readonly context: unknown;
  readonly rootValue: unknown;
  readonly variables: Values;
  readonly isServiceDocument: boolean;
  readonly errors: GraphQLError[];
  readonly args: (Values | undefined)[];
  readonly selections: (FieldSelection | undefined)[];
}

export class ResolveInfo implements GraphQLResolveInfo {
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
  get selection(): FieldSelection {
    return selectionNow(this.run, this.field);
  }
  get isServiceDocument(): boolean {
    return this.run.isServiceDocument;
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
    return this.run.parts.schema;
  }
  get fragments() {
    return this.run.parts.fragments;
  }
  get rootValue() {
    return this.run.rootValue;
  }
  get operation() {
    return this.run.parts.operation;
  }
  get variableValues() {
    return this.run.variables;
  }
}

function selectionNow(run: Run, field: SelectedField): FieldSelection {
  const known = field.known ?? run.selections[field.index];
  if (known !== undefined) return known;
  const found = fieldSelectionOf(field, argsOf(run, field), (inner) => selectionNow(run, inner));
  if (found === null) throw new Error(`The selection of ${field.key} must be known`);
  run.selections[field.index] = found;
  return found;
}

export function argsOf(
  run: Pick<Run, 'args' | 'variables'>,
  { args, definition, index, nodes: [node] }: SelectedField,
): Values {
  if (args !== null) return args;
  const known = run.args[index];
  if (known !== undefined) return known;
  if (node === undefined) throw new Error(`${definition.name} is selected without a field`);
  const found = getArgumentValues(definition, node, run.variables);
  run.args[index] = found;
  return found;
}
