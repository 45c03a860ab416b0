import { isUtf8 } from 'node:buffer';

import { JSON_DEPTH } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';

/* Decoding of callers' bytes. Some of the text is published for good, so nothing is guessed. */

const BYTE_ORDER_MARK = '\ufeff';

export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw noUtf8();
}

export function fieldsIn(text: string): URLSearchParams {
  try {
    if (text.includes('%')) decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    throw noUtf8();
  }
  return new URLSearchParams(text);
}

function noUtf8(): DomainError {
  return new DomainError('unreadable_request', 'Text must be UTF-8 (got other bytes).');
}

export function jsonOf(text: string): unknown {
  checkDepth(text);
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    return value;
  } catch (cause) {
    throw new DomainError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** Throws `BAD_REQUEST` for JSON nested too deeply: serializing it would overflow the stack. */
export function checkDepth(text: string): void {
  if (text.length <= 2 * JSON_DEPTH || !isDeep(text)) return;
  throw new DomainError('invalid_json', `JSON must be nested at most ${JSON_DEPTH} deep, in arrays and objects.`);
}

function isDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > JSON_DEPTH) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, quote: number): boolean {
  let first = quote;
  while (text[first - 1] === '\\') first -= 1;
  return (quote - first) % 2 === 1;
}
