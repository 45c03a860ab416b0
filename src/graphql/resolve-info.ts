import { getArgumentValues, type GraphQLError, type GraphQLResolveInfo } from 'graphql';

import {
  type OperationParts,
  type SelectedField,
  type Selection,
  type Values,
  type Wanted,
  wantedOf,
} from './selection.ts';

export type Path = GraphQLResolveInfo['path'];

/** One execution of an operation. */
export interface Run {
  readonly parts: OperationParts;
  readonly selection: Selection;
  readonly context: unknown;
  readonly rootValue: unknown;
  /** Coerced, with their defaults. */
  readonly variables: Values;
  /** Whether the answer may hold `AnswerText`: only where it becomes JSON next. */
  readonly takesText: boolean;
  /** Whether the document is the service's own. */
  readonly isOwn: boolean;
  readonly errors: GraphQLError[];
  /** Arguments that depend on variables, by the field's index: worked out once however often the field comes. */
  readonly args: (Values | undefined)[];
}

/** An object or a list of which a resolver knows how it stands in the answer. */
export class AnswerText {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }
}

/** A field of one object: where it stands, and what a resolver may ask about that. */
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
  /** What is selected below: resolvers may read it all at once (src/resolvers/look-ahead.ts). */
  get wanted(): Wanted {
    return wantedNow(this.run, this.field);
  }
  /** Makes the field's value of the JSON that stands for it in the answer; null where that is wanted as data. */
  get asText(): ((json: string) => AnswerText) | null {
    return this.run.takesText ? (json) => new AnswerText(json) : null;
  }
  get isOwn(): boolean {
    return this.run.isOwn;
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

function wantedNow(run: Run, field: SelectedField): Wanted {
  const found = field.wanted ?? wantedOf(field, argsOf(run, field), (inner) => wantedNow(run, inner));
  if (found === null) throw new Error(`What is wanted of ${field.key} is not known`);
  return found;
}

/** The field's arguments. */
export function argsOf(run: Run, { args, definition, index, nodes: [node] }: SelectedField): Values {
  if (args !== null) return args;
  const known = run.args[index];
  if (known !== undefined) return known;
  if (node === undefined) throw new Error(`${definition.name} is selected without a field`);
  const found = getArgumentValues(definition, node, run.variables);
  run.args[index] = found;
  return found;
}
