import {
  type DocumentNode,
  getOperationAST,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  parse,
  validate,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';

import type { CostMeter } from './cost.ts';
import { selectionsIn } from './document-limits.ts';
import { executeSelection } from './execution.ts';
import { weighs } from './field-weights.ts';
import { type OperationParts, selectionOf, type Values, variablesFeeding } from './selection.ts';

export type CompiledDocument = ReturnType<typeof compiledDocument>;

export type CompiledOperation = ReturnType<typeof compiledOperation>;

export type CoercedVariables = ReturnType<typeof getVariableValues>;

interface Request {
  readonly context: unknown;
  readonly variables: Values;
  readonly rootValue?: unknown;
  /** The document was written by the service, not by a caller. */
  readonly isServiceDocument?: boolean;
}

/** Selections that an operation keeps, by the variables of `@skip` and `@include`. */
const MAX_SELECTIONS = 4;
/** Costs that it keeps, by those and the variables of arguments that weigh. */
const MAX_COSTS = 16;
/** In characters; nothing is kept for longer values. */
const LONGEST_KEY = 256;
const COERCION = { maxErrors: 50 };

export function estimatedFieldCount(document: DocumentNode): number {
  let hasSwitches = false;
  visit(document, { Directive: (directive) => visit(directive, { Variable: () => void (hasSwitches = true) }) });
  return selectionsIn(document) * (hasSwitches ? MAX_SELECTIONS : 1);
}

export function compiledDocument(schema: GraphQLSchema, document: DocumentNode, meter?: CostMeter) {
  const found = document.definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  const fragments = Object.fromEntries(found.map((fragment) => [fragment.name.value, fragment]));
  const compiled = new Map<OperationDefinitionNode, CompiledOperation>();
  return {
    document,
    /** Null if no operation has the name, or none is given and there are several. */
    operation(name: string | null | undefined): CompiledOperation | null {
      const operation = getOperationAST(document, name);
      if (!operation) return null;
      const known = compiled.get(operation) ?? compiledOperation({ schema, operation, fragments }, meter);
      compiled.set(operation, known);
      return known;
    },
  };
}

/** For documents of the service with one operation. Throws if it does not fit the schema. */
export function compileServiceOperation(schema: GraphQLSchema, text: string): CompiledOperation {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error) throw error;
  const operation = compiledDocument(schema, document).operation(null);
  if (operation === null) throw new Error(`A document must have one operation: ${text}`);
  return operation;
}

function compiledOperation(parts: OperationParts, meter: CostMeter | undefined) {
  const { operation } = parts;
  const switches = variablesFeeding(parts, (of) => of === 'directive');
  const weighing = variablesFeeding(parts, (of, name) => of === 'directive' || weighs(name));
  const selectionFor = cached(switches, MAX_SELECTIONS, (variables) => selectionOf(parts, variables));
  const costOf = cached(weighing, MAX_COSTS, (variables) => meter?.(selectionFor(variables), variables) ?? null);
  return {
    parts,
    type: operation.operation,
    coerce: (given: Values) => getVariableValues(parts.schema, operation.variableDefinitions ?? [], given, COERCION),
    selected: selectionFor,
    /** Throws `GraphQLError` (400) when it costs too much; null without a meter. */
    cost: costOf,
    execute: ({ context, variables, rootValue, isServiceDocument = false }: Request) =>
      executeSelection({
        parts,
        selection: selectionFor(variables),
        context,
        variables,
        rootValue,
        isServiceDocument,
        errors: [],
        args: [],
        selections: [],
      }),
  };
}

/** Caches `work` for the last `most` values of the named variables, the only ones it depends on. */
function cached<T>(names: readonly string[], most: number, work: (variables: Values) => T): (variables: Values) => T {
  const known = new LRUCache<string, { readonly done: T }>({ max: most });
  return (variables) => {
    const key = names.length === 0 ? '' : JSON.stringify(names.map((name) => variables[name]));
    const found = known.get(key);
    if (found !== undefined) return found.done;
    const done = work(variables);
    if (key.length <= LONGEST_KEY) known.set(key, { done });
    return done;
  };
}
