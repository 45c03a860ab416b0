import { isUtf8 } from 'node:buffer';

import { JSON_DEPTH } from '../limits.ts';
import { DomainError } from '../rules/errors.ts';

/* What bytes of a caller say, wherever they come from: some of it is public for good, so nothing is guessed. */

const BYTE_ORDER_MARK = '\ufeff';

/** The text of bytes. Throws `BAD_REQUEST` where they are no UTF-8. */
export function textOf(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  throw noUtf8();
}

/** The names and values of a form, or of the query of an address. Throws `BAD_REQUEST` where their bytes are no UTF-8. */
export function fieldsIn(text: string): URLSearchParams {
  try {
    // A percent sign that encodes nothing stands for itself.
    if (text.includes('%')) decodeURIComponent(text.replaceAll(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    throw noUtf8();
  }
  return new URLSearchParams(text);
}

function noUtf8(): DomainError {
  return new DomainError('unreadable_request', 'Text must be UTF-8 (got other bytes).');
}

/** The value of a JSON text. Throws `BAD_REQUEST` where it is broken, or nested too deeply. */
export function jsonOf(text: string): unknown {
  checkDepth(text);
  try {
    const value: unknown = JSON.parse(text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text);
    return value;
  } catch (cause) {
    throw new DomainError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** Throws `BAD_REQUEST` for JSON that is nested too deeply: writing such a value out again needs more stack than there is. */
export function checkDepth(text: string): void {
  // Each level takes two characters.
  if (text.length <= 2 * JSON_DEPTH || !isDeep(text)) return;
  throw new DomainError('invalid_json', `JSON must be nested at most ${JSON_DEPTH} deep, in arrays and objects.`);
}

/** Looks at what stands outside strings alone: the longest of them are passed over in one step. */
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

/** The end of the string that begins at a place. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text[first - 1] === '\\') first -= 1;
  return (place - first) % 2 === 1;
}
