import { type DocumentNode, Lexer, parse, Source, TokenKind } from 'graphql';

import { QUERY_LIMITS } from '../limits.ts';
import { overLimit } from './over-limit.ts';

/** Holds wherever documents are parsed: the parser stops there instead of reading on. */
export const PARSE_OPTIONS = { maxTokens: QUERY_LIMITS.tokens } as const;

/** Parses a document. Throws `GraphQLError` for bad syntax, and for more tokens than a document may have. */
export function parseDocument(text: string): DocumentNode {
  refuseTooManyTokens(text);
  return parse(text, PARSE_OPTIONS);
}

/** Throws for more tokens than a document may have. What stands behind bad syntax is not counted. */
export function refuseTooManyTokens(text: string): void {
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
