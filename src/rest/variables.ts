import type { Request } from 'express';

import { queryOf, singleValue } from '../http/parameters.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import type { CompiledEndpoint, Parameter } from './compile.ts';
import type { Data } from './endpoint.ts';

const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };

/**
 * The endpoint's variables from the request, of the right types and never coerced: `"85"` in a body is no number.
 * Absent ones are left out, so that the schema's defaults hold. Throws `BAD_REQUEST` that names the parameter.
 */
export function variablesOf(endpoint: CompiledEndpoint, request: Request, body: Data): Data {
  return checkedVariables(endpoint, (parameter) => rawValue(parameter, request, body));
}

/** The same of values that `rawOf` finds, undefined or null where there is none. */
export function checkedVariables(endpoint: CompiledEndpoint, rawOf: (parameter: Parameter) => unknown): Data {
  const values = endpoint.parameters.flatMap((parameter) => {
    const raw = rawOf(parameter);
    if (raw != null) return [[parameter.name, typed(endpoint, parameter, raw)] as const];
    if (!parameter.required) return [];
    throw new DomainError('BAD_REQUEST', `${parameter.name} is required. ${parameter.description}`);
  });
  return Object.fromEntries(values);
}

function rawValue({ name, source }: Parameter, request: Request, body: Data): unknown {
  switch (source.kind) {
    case 'path':
      return wholeNumberOf(request.params[name]);
    case 'query':
      return wholeNumberOf(singleValue(queryOf(request), name));
    case 'header':
      return request.get(source.header);
    case 'body':
      return Object.hasOwn(body, name) ? body[name] : undefined;
  }
}

/** Text of an address that writes a whole number as that number; other text, and more digits than are exact, as it is. */
function wholeNumberOf(text: unknown): unknown {
  const number = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : text;
}

function typed(endpoint: CompiledEndpoint, parameter: Parameter, raw: unknown): unknown {
  const { name, type } = parameter;
  if (type === 'String') return typeof raw === 'string' ? raw : refuseValue(parameter, raw);
  if (type !== 'Int') return typeof raw === 'string' && type.getValue(raw) ? raw : refuseValue(parameter, raw);
  if (typeof raw !== 'number') return refuseValue(parameter, raw);
  const max = name === 'limit' ? (endpoint.pageSize?.max ?? INT32.max) : INT32.max;
  return Number.isInteger(raw) && raw >= minOf(parameter) && raw <= max ? raw : refuseValue(parameter, raw);
}

/** Whole numbers in an address are ids, the id that a page comes after, or counts; a body's have bounds of the domain's own. */
function minOf({ name, source }: Parameter): number {
  if (source.kind === 'body') return INT32.min;
  return source.kind === 'path' || name === 'limit' ? 1 : 0;
}

function refuseValue({ name, mustBe }: Parameter, raw: unknown): never {
  throw new DomainError('BAD_REQUEST', `${name} must be ${mustBe} (got ${valueForMessage(raw)}).`);
}

/** Of lists and objects the kind alone: writing deep ones out can fail. */
function valueForMessage(raw: unknown): string {
  if (typeof raw === 'object') return Array.isArray(raw) ? 'a list' : 'an object';
  return quoted(raw);
}
