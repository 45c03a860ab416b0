import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  type OperationTypeNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { Cost, CostMeter } from './cost.ts';
import { selectionsIn } from './document-limits.ts';
import { type Executed, executeSelection } from './execution.ts';
import { weighs } from './field-weights.ts';
import { type OperationParts, type Selection, selectionOf, type Values, variablesFeeding } from './selection.ts';

/** A valid document with what its operations are compiled to. */
export interface CompiledDocument {
  readonly document: DocumentNode;
  /** Null when the document has no operation of that name, or several and no name is given. */
  operation(name: string | null | undefined): CompiledOperation | null;
}

/** An operation of which all is known that does not depend on the request: what it selects, and what that costs. */
export interface CompiledOperation {
  /** As it was parsed, with the fragments beside it. */
  readonly parts: OperationParts;
  readonly type: OperationTypeNode;
  /** The variables as the schema has them, with their defaults; or what is wrong with them. */
  coerce(given: Values): CoercedVariables;
  /** What it selects, by coerced variables: the same object as long as it is the same. */
  selected(variables: Values): Selection;
  /** By coerced variables. Throws `GraphQLError` (400) when it costs too much; null without a meter. */
  cost(variables: Values): Cost | null;
  /** The answer that graphql-js would give, by coerced variables. */
  execute(request: Request): Executed | Promise<Executed>;
}

export type CoercedVariables = ReturnType<typeof getVariableValues>;

interface Request {
  readonly context: unknown;
  readonly variables: Values;
  readonly rootValue?: unknown;
  /** Whether the document is the service's own; unset: a caller's. */
  readonly isOwn?: boolean;
}

/** For how many values of its switches an operation stays compiled: each time whole. */
const MOST_SWITCHED = 4;

/** With how many values of its sizes the cost of an operation is remembered. */
const MOST_SIZES = 16;

/** The longest text of such values that is remembered. */
const LONGEST_REMEMBERED = 256;

/** What is wrong with variables is reported as far as this, as graphql-js does. */
const COERCION = { maxErrors: 50 };

/**
 * How many fields a valid document's operations are compiled to at the most, all that is remembered of them together.
 */
export function compiledFields(document: DocumentNode): number {
  let isSwitched = false;
  visit(document, {
    Directive: (directive) => visit(directive, { Variable: () => void (isSwitched = true) }),
  });
  return selectionsIn(document) * (isSwitched ? MOST_SWITCHED : 1);
}

/** Compiles each operation of a valid document when it is first asked for. */
export function compiledDocument(schema: GraphQLSchema, document: DocumentNode, meter?: CostMeter): CompiledDocument {
  const found = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(found.map((fragment) => [fragment.name.value, fragment]));
  const compiled = new Map<OperationDefinitionNode, CompiledOperation>();
  return {
    document,
    operation(name) {
      const operation = getOperationAST(document, name);
      if (!operation) return null;
      const known = compiled.get(operation) ?? compiledOperation({ schema, operation, fragments }, meter);
      compiled.set(operation, known);
      return known;
    },
  };
}

/** The one operation of a document of our own. Throws when it does not fit the schema. */
export function compileDocument(schema: GraphQLSchema, text: string): CompiledOperation {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw error;
  const operation = compiledDocument(schema, document).operation(null);
  if (operation === null) throw new Error(`A document must have one operation: ${text}`);
  return operation;
}

function compiledOperation(parts: OperationParts, meter: CostMeter | undefined): CompiledOperation {
  const { operation } = parts;
  const switches = variablesFeeding(parts, (of) => of === 'directive');
  const sizes = variablesFeeding(parts, (of, name) => of === 'directive' || weighs(name));
  const selectionFor = remembered(switches, MOST_SWITCHED, (variables) => selectionOf(parts, variables));
  const costOf = remembered(sizes, MOST_SIZES, (variables) => meter?.(selectionFor(variables), variables) ?? null);
  return {
    parts,
    type: operation.operation,
    coerce: (given) => getVariableValues(parts.schema, operation.variableDefinitions ?? [], given, COERCION),
    selected: selectionFor,
    cost: costOf,
    execute: ({ context, variables, rootValue, isOwn = false }) =>
      executeSelection({
        parts,
        selection: selectionFor(variables),
        context,
        variables,
        rootValue,
        isOwn,
        errors: [],
        args: [],
        selections: [],
      }),
  };
}

/** `work`, which depends on the variables with these names alone, done once for each of their last `most` values. */
function remembered<T>(
  names: readonly string[],
  most: number,
  work: (variables: Values) => T,
): (variables: Values) => T {
  const known = new LRUCache<string, { readonly done: T }>({ max: most });
  return (variables) => {
    const key = names.length === 0 ? '' : JSON.stringify(names.map((name) => variables[name]));
    const found = known.get(key);
    if (found !== undefined) return found.done;
    const done = work(variables);
    if (key.length <= LONGEST_REMEMBERED) known.set(key, { done });
    return done;
  };
}
