import type { Request } from 'express';

import { beginning, checkEach, DomainError, quoted, refused } from '../rules/errors.ts';
import { editsBetween, nearestName } from './nearest-name.ts';
import { fieldsIn } from './received-text.ts';

export function queryOf(request: Pick<Request, 'originalUrl'>): URLSearchParams {
  return fieldsIn(searchOf(request).slice(1));
}

export function searchOf({ originalUrl }: Pick<Request, 'originalUrl'>): string {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? '' : originalUrl.slice(mark);
}

/** Undefined if it is absent. Throws `BAD_REQUEST` if it is given more than once. */
export function singleValue(query: URLSearchParams, name: string): string | undefined {
  const [value, ...more] = query.getAll(name);
  if (more.length === 0) return value;
  const message = `${name} must be given only once (got it ${more.length + 1} times).`;
  throw new DomainError('repeated_parameter', message, { argument: name });
}

export function checkKnown(query: URLSearchParams, known: readonly string[]): void {
  const unknown = [...new Set(query.keys())].filter((name) => !known.includes(name));
  checkEach(unknown.slice(0, MAX_UNKNOWN), (name) => {
    if (known.length > 0) throw unknownName('A parameter', name, { known, nearest: nearestName(name, known) });
    const message = `There must be no query parameters (got ${quoted(name)}).`;
    throw new DomainError('unknown_parameter', message, { argument: beginning(name, LONGEST_NAME) });
  });
}

/** Throws `BAD_REQUEST` for a field one edit away from a known one, which would be ignored silently as other unknown fields are. */
export function checkFields(body: object, known: readonly string[]): void {
  const misspelt = Object.keys(body)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, nearest: known.find((one) => editsBetween(lettersOf(one), lettersOf(name), 1) <= 1) }))
    .filter(({ nearest }) => nearest !== undefined);
  checkEach(misspelt.slice(0, MAX_UNKNOWN), ({ name, nearest }) => {
    throw unknownName('A field', name, { known, nearest });
  });
}

export function hasOnly(body: object, known: readonly string[]): boolean {
  return Object.keys(body).every((name) => known.includes(name));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[-_]/g, '');
}

function unknownName(
  what: string,
  name: string,
  { known, nearest }: { readonly known: readonly string[]; readonly nearest: string | undefined },
): DomainError {
  const hint = nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
  const message = `${what} must be one of ${known.join(', ')} (got ${quoted(name)}).${hint}`;
  return new DomainError('unknown_parameter', message, { argument: beginning(name, LONGEST_NAME) });
}

/** Bounds on how much of a bad request an error repeats. */
const MAX_UNKNOWN = 5;
const LONGEST_NAME = 60;

interface Range {
  readonly min: number;
  readonly max: number;
}

export function wholeNumber(text: string, { min, max }: Range): number | null {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return number >= min && number <= max ? number : null;
}

export function numberIn(query: URLSearchParams, name: string, range: Range & { readonly default: number }): number {
  const text = singleValue(query, name);
  if (text === undefined) return range.default;
  const number = wholeNumber(text, range);
  if (number !== null) return number;
  throw refused(name, `a whole number from ${range.min} to ${range.max}`, text);
}

/** Null if an item of the comma-separated list is not in `values`. */
export function someOf<Value extends string>(text: string, values: readonly Value[]): readonly Value[] | null {
  const given = text.split(',');
  const known = values.filter((value) => given.includes(value));
  return given.every((value) => known.some((one) => one === value)) ? known : null;
}
