import {
  type ASTVisitor,
  type DocumentNode,
  type ExecutableDefinitionNode,
  type FieldNode,
  type FragmentSpreadNode,
  GraphQLError,
  type GraphQLSchema,
  type InlineFragmentNode,
  Kind,
  Lexer,
  parse,
  type SelectionSetNode,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  type ValidationContext,
} from 'graphql';

import { QUERY_LIMITS, type QueryLimit } from '../limits.ts';
import { collectedFields, type Part } from './collected-fields.ts';

const FIGURES = new Intl.NumberFormat('en-US');

/** HTTP 400 for every accepted media type. */
export function overLimit(name: QueryLimit, found: number): GraphQLError {
  const most = QUERY_LIMITS[name];
  return new GraphQLError(
    `The query asks for too much: ${SPELLINGS[name] ?? name} ${FIGURES.format(found)}, at most ${FIGURES.format(most)}.`,
    { extensions: { limit: { name, found, most }, http: { status: 400 } } },
  );
}

export function excessOf(error: { readonly extensions?: Readonly<Record<string, unknown>> }): unknown {
  return error.extensions?.['limit'];
}

const SPELLINGS: Partial<Record<QueryLimit, string>> = { repeats: 'repeated fields', rootFields: 'root fields' };

export const PARSE_OPTIONS = { maxTokens: QUERY_LIMITS.tokens } as const;

/** Throws `GraphQLError` for bad syntax, and for documents that are too large to be validated. */
export function parseDocument(text: string): DocumentNode {
  refuseTooManyTokens(text);
  const document = parse(text, PARSE_OPTIONS);
  selectionsIn(document);
  return document;
}

function refuseTooManyTokens(text: string): void {
  if (text.length <= QUERY_LIMITS.tokens) return;
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  try {
    while (lexer.advance().kind !== TokenKind.EOF) tokens += 1;
  } catch {
    // The parser reports bad syntax.
  }
  if (tokens > QUERY_LIMITS.tokens) throw overLimit('tokens', tokens);
}

/** The number of selections, with fragments spread. Throws over a limit: validation compares pairs of fields and would take long. */
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
  // Walks the fields as execution does, grouped by response name. Returns the number of fields at the first level.
  const walk = (parts: readonly Part[]): number => {
    const groups = [...collectedFields(parts, collecting).values()];
    for (const found of groups) {
      count('repeats', found.length - 1);
      walk(found);
    }
    return groups.reduce((total, { length }) => total + length, 0);
  };
  for (const node of definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const rootFields = walk([{ node, inside: [] }]);
    if (rootFields > QUERY_LIMITS.rootFields) throw overLimit('rootFields', rootFields);
  }
  // Unused fragments are compared too, before validation refuses them.
  for (const [name, node] of byName) if (!spread.has(name)) walk([{ node, inside: [name] }]);
  return counted.get('selections') ?? 0;
}

type DocumentMeasures = Readonly<Record<'depth' | 'aliases' | 'directives', number>>;

/** Limits that a document's text alone can exceed, cheap to check, beside graphql-js's own rules. */
export function extentRule(context: ValidationContext): ASTVisitor {
  const extentOf = extents(context);
  return {
    OperationDefinition(operation) {
      const found = extentOf(operation);
      for (const limit of ['depth', 'aliases', 'directives'] as const)
        if (found[limit] > QUERY_LIMITS[limit]) context.reportError(overLimit(limit, found[limit]));
    },
  };
}

/** Counts each fragment once. Recursive fragments add nothing, since another rule refuses them. */
function extents(document: Pick<ValidationContext, 'getFragment'>) {
  const known = new Map<string, DocumentMeasures>();
  const extentOf = (node: ExecutableDefinitionNode | FieldNode | InlineFragmentNode): DocumentMeasures => {
    let [depth, aliases, directives] = [0, 0, node.directives?.length ?? 0];
    for (const selection of node.selectionSet?.selections ?? []) {
      const inner = selection.kind === Kind.FRAGMENT_SPREAD ? ofSpread(selection) : extentOf(selection);
      depth = Math.max(depth, inner.depth);
      aliases += inner.aliases;
      directives += inner.directives;
    }
    if (node.kind !== Kind.FIELD) return { depth, aliases, directives };
    const names = [node.name.value, node.alias?.value];
    if (node.alias !== undefined && !names.includes('__typename')) aliases += 1;
    return { depth: names[0] === '__schema' ? 0 : depth + 1, aliases, directives };
  };
  const ofSpread = ({ name: { value: name }, directives = [] }: FragmentSpreadNode): DocumentMeasures => {
    const before = known.get(name);
    // A repeated spread counts its fragment alone, without its own directives.
    if (before !== undefined) return before;
    known.set(name, { depth: 0, aliases: 0, directives: 0 });
    const fragment = document.getFragment(name);
    const found = fragment ? extentOf(fragment) : { depth: 0, aliases: 0, directives: 0 };
    known.set(name, found);
    return { ...found, directives: found.directives + directives.length };
  };
  return extentOf;
}

/** Each reported error takes time to format. */
export const VALIDATION_OPTIONS = { maxErrors: 10 } as const;

export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, [...specifiedRules, extentRule], VALIDATION_OPTIONS);
}
