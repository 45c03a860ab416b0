import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

import { QUERY_LIMITS, type QueryLimit } from '../limits.ts';
import { collectedFields, type Part } from './collected-fields.ts';

const FIGURES = new Intl.NumberFormat('en-US');

/** What the caller reads of a limit that a query exceeds, as `extensions.excess` of the error. */
interface Excess {
  readonly name: QueryLimit;
  /** What the query comes to; of `selections`, which are not counted to the end, the first number that is too high. */
  readonly found: number;
  readonly most: number;
}

/** The refusal of a query that asks for too much: HTTP 400 whichever media type the caller accepts. */
export function overLimit(name: QueryLimit, found: number): GraphQLError {
  const most = QUERY_LIMITS[name];
  const excess: Excess = { name, found, most };
  return new GraphQLError(
    `The query asks for too much: ${wordsOf(name)} ${FIGURES.format(found)}, at most ${FIGURES.format(most)}.`,
    { extensions: { code: 'BAD_REQUEST', limit: excess, http: { status: 400 } } },
  );
}

/** The limit that an error is about, or undefined. */
export function excessOf(error: { readonly extensions?: Readonly<Record<string, unknown>> }): unknown {
  return error.extensions?.['limit'];
}

function wordsOf(name: QueryLimit): string {
  if (name === 'repeats') return 'repeated fields';
  return name === 'rootFields' ? 'root fields' : name;
}

/** Holds wherever documents are parsed: the parser stops there instead of reading on. */
export const PARSE_OPTIONS = { maxTokens: QUERY_LIMITS.tokens } as const;

/**
 * Parses a document. Throws `GraphQLError` for bad syntax, and for what is too large to be validated, such as one with
 * more tokens than a document may have.
 */
export function parseDocument(text: string): DocumentNode {
  refuseTooManyTokens(text);
  const document = parse(text, PARSE_OPTIONS);
  selectionsIn(document);
  return document;
}

/** Throws for more tokens than a document may have. What stands behind bad syntax is not counted. */
function refuseTooManyTokens(text: string): void {
  if (text.length <= QUERY_LIMITS.tokens) return;
  const tokens = countTokens(text);
  if (tokens > QUERY_LIMITS.tokens) throw overLimit('tokens', tokens);
}

function countTokens(text: string): number {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) tokens += 1;
  } catch {
    return tokens;
  }
  return tokens;
}

/**
 * How many selections a document has once every fragment is spread out. Throws for what validation itself would take long
 * over: it compares fields of the same place, and fragments, with each other. So this is asked before, and takes no longer
 * than the document has selections.
 */
export function selectionsIn({ definitions }: DocumentNode): number {
  const counted = new Map<QueryLimit, number>();
  const count = (limit: QueryLimit, more: number): void => {
    const found = (counted.get(limit) ?? 0) + more;
    counted.set(limit, found);
    if (found > QUERY_LIMITS[limit]) throw overLimit(limit, found);
  };
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  count('fragments', fragments.length);
  const byName = new Map(fragments.map((one) => [one.name.value, one]));
  const spread = new Set<string>();
  const collecting = {
    fragmentOf: (name: string) => {
      spread.add(name);
      return byName.get(name);
    },
    onSet: ({ selections }: SelectionSetNode) => count('selections', selections.length),
  };
  // Goes through the fields as execution does, place by place of the answer; returns how many stand at the first.
  const walk = (parts: readonly Part[]): number => {
    const places = [...collectedFields(parts, collecting).values()];
    for (const found of places) {
      count('repeats', found.length - 1);
      walk(found);
    }
    return places.reduce((total, { length }) => total + length, 0);
  };
  for (const node of definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const rootFields = walk([{ node, inside: [] }]);
    if (rootFields > QUERY_LIMITS.rootFields) throw overLimit('rootFields', rootFields);
  }
  // Fragments that no operation spreads are compared all the same, before they are refused as unused.
  for (const [name, node] of byName) if (!spread.has(name)) walk([{ node, inside: [name] }]);
  return counted.get('selections') ?? 0;
}

/**
 * The limits that a document's text alone can exceed and that cost validation little, beside graphql-js's own rules. graphql-armor counts and refuses
 * nothing: its refusals call themselves syntax errors, and say the figures in words only.
 */
export function validationRules(): ValidationRule[] {
  return [
    maxDepthRule({ ...counting('depth'), flattenFragments: true }),
    maxAliasesRule(counting('aliases')),
    maxDirectivesRule(counting('directives')),
  ];
}

/** How many errors of a document are reported: each takes time to be written. */
export const VALIDATION_OPTIONS = { maxErrors: 10 } as const;

/** What is wrong with a document, for those transports that do not validate themselves. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, [...specifiedRules, ...validationRules()], VALIDATION_OPTIONS);
}

function counting(limit: QueryLimit) {
  return {
    n: Number.POSITIVE_INFINITY,
    onAccept: [
      (context: ValidationContext | null, { n }: { n: number }): void => {
        if (n > QUERY_LIMITS[limit]) context?.reportError(overLimit(limit, n));
      },
    ],
  };
}
