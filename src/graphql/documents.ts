import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';

import type { CostMeter } from './cost.ts';
import { parseDocument, validateDocument } from './document-limits.ts';
import { type CompiledDocument, compiledDocument, estimatedFieldCount } from './operation.ts';

export type Documents = ReturnType<typeof openDocuments>;

/** A compiled document takes 100 to 250 bytes of heap per character. */
const MAX_CHARACTERS = 256 * 1024;
/** A field takes up to 2.5 KB of heap with its plan, and a short text can spread a fragment many times. */
const MAX_FIELDS = 20_000;
const MAX_DOCUMENTS = 500;
/** Longer documents are not cached: 16 of them would evict all others. */
const LONGEST_KEPT = 16 * 1024;

export function openDocuments(schema: GraphQLSchema, meter: CostMeter) {
  const kept = new LRUCache<string, CompiledDocument>({
    max: MAX_DOCUMENTS,
    maxSize: WHOLE,
    sizeCalculation: ({ document }, text) => Math.max(1, shareOf(text, estimatedFieldCount(document))),
  });
  const compile = (text: string, document: DocumentNode): CompiledDocument => {
    const compiled = compiledDocument(schema, document, meter);
    if (text.length <= LONGEST_KEPT) kept.set(text, compiled);
    return compiled;
  };
  return {
    find: (text: string) => kept.get(text),
    add: (text: string, document: DocumentNode) => kept.get(text) ?? compile(text, document),
    check(text: string): CompiledDocument | readonly GraphQLError[] {
      const known = kept.get(text);
      if (known !== undefined) return known;
      const checked = checkedDocument(schema, text);
      return 'kind' in checked ? compile(text, checked) : checked;
    },
  };
}

/** The cache's size, in parts. */
const WHOLE = 1_000_000;

function shareOf(text: string, fields: number): number {
  return Math.ceil(WHOLE * Math.max(text.length / MAX_CHARACTERS, fields / MAX_FIELDS));
}

function checkedDocument(schema: GraphQLSchema, text: string): DocumentNode | readonly GraphQLError[] {
  try {
    const document = parseDocument(text);
    const errors = validateDocument(schema, document);
    return errors.length > 0 ? errors : document;
  } catch (error) {
    if (error instanceof GraphQLError) return [error];
    throw error;
  }
}
