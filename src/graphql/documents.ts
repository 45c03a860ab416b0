import { type DocumentNode, GraphQLError, type GraphQLSchema } from 'graphql';

import type { CostMeter } from './cost.ts';
import { parseDocument, validateDocument } from './document-limits.ts';
import { type CompiledDocument, compiledDocument, compiledFields } from './operation.ts';

/** The valid documents that were sent last, by their text. */
export interface Documents {
  find(text: string): CompiledDocument | undefined;
  /** Compiles and keeps a document that was found valid elsewhere, unless it is known. */
  add(text: string, document: DocumentNode): CompiledDocument;
  /** Parses and validates what is not known; what is wrong with the document, if anything is. */
  check(text: string): CompiledDocument | readonly GraphQLError[];
  /** How many are kept, how many characters their texts have, and to how many fields they may be compiled. */
  size(): Size;
}

interface Size {
  readonly documents: number;
  readonly characters: number;
  readonly fields: number;
}

/** Parsed and compiled, the usual documents take 100 to 250 bytes of heap for each character of their text. */
const MOST_CHARACTERS = 256 * 1024;
/** A field takes up to 2.5 KB of heap with its plan, and a short text can spread one fragment at many places. */
const MOST_FIELDS = 20_000;
const MOST_DOCUMENTS = 500;
/** Longer documents are not kept: 16 of them would push all others out. */
const LONGEST_KEPT = 16 * 1024;

/** The documents of one process, whichever way they come; those that were asked for least recently go first. */
export function openDocuments(schema: GraphQLSchema, meter: CostMeter): Documents {
  const kept = new Map<string, CompiledDocument>();
  const fieldsOf = new WeakMap<CompiledDocument, number>();
  let characters = 0;
  let fields = 0;
  const drop = (text: string): void => {
    const compiled = kept.get(text);
    if (compiled === undefined) return;
    kept.delete(text);
    characters -= text.length;
    fields -= fieldsOf.get(compiled) ?? 0;
  };
  const keep = (text: string, compiled: CompiledDocument): void => {
    if (text.length > LONGEST_KEPT) return;
    drop(text);
    kept.set(text, compiled);
    const found = compiledFields(compiled.document);
    fieldsOf.set(compiled, found);
    characters += text.length;
    fields += found;
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_DOCUMENTS && characters <= MOST_CHARACTERS && fields <= MOST_FIELDS) break;
      drop(oldest);
    }
  };
  const compile = (text: string, document: DocumentNode): CompiledDocument => {
    const compiled = compiledDocument(schema, document, meter);
    keep(text, compiled);
    return compiled;
  };
  const find = (text: string): CompiledDocument | undefined => {
    const known = kept.get(text);
    if (known !== undefined) {
      // The last in the map is the one that was asked for last.
      kept.delete(text);
      kept.set(text, known);
    }
    return known;
  };
  return {
    find,
    add: (text, document) => find(text) ?? compile(text, document),
    check(text) {
      const known = find(text);
      if (known !== undefined) return known;
      const checked = checkedDocument(schema, text);
      return 'kind' in checked ? compile(text, checked) : checked;
    },
    size: () => ({ documents: kept.size, characters, fields }),
  };
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
