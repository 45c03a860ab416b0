import type { Request } from 'express';

import { queryOf, singleValue } from '../http/parameters.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import type { CompiledEndpoint, Parameter } from './compile.ts';
import type { Data } from './endpoint.ts';

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
    if (raw != null) return [[parameter.name, typed(parameter, raw)] as const];
    if (!parameter.required) return [];
    throw new DomainError('BAD_REQUEST', `${parameter.name} is required. ${parameter.description}`);
  });
  return Object.fromEntries(values);
}

function rawValue({ name, source, type }: Parameter, request: Request, body: Data): unknown {
  switch (source.kind) {
    case 'path':
      return valueOfText(type, request.params[name]);
    case 'query':
      return valueOfText(type, singleValue(queryOf(request), name));
    case 'header':
      return request.get(source.header);
    case 'body':
      return Object.hasOwn(body, name) ? body[name] : undefined;
  }
}

/** Text of an address that writes what is asked for as that; other text, and more digits than are exact, as it is. */
function valueOfText(type: Parameter['type'], text: unknown): unknown {
  if (type === 'Boolean') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (type !== 'Int') return text;
  const number = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : text;
}

function typed(parameter: Parameter, raw: unknown): unknown {
  return fits(parameter, raw) ? raw : refuseValue(parameter, raw);
}

function fits({ type, min, max }: Parameter, raw: unknown): boolean {
  if (type === 'String') return typeof raw === 'string';
  if (type === 'Boolean') return typeof raw === 'boolean';
  if (type === 'Int') return typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max;
  return typeof raw === 'string' && type.getValue(raw) !== undefined;
}

function refuseValue({ name, mustBe }: Parameter, raw: unknown): never {
  throw new DomainError('BAD_REQUEST', `${name} must be ${mustBe} (got ${valueForMessage(raw)}).`);
}

/** Of lists and objects the kind alone: writing deep ones out can fail. */
function valueForMessage(raw: unknown): string {
  if (typeof raw === 'object') return Array.isArray(raw) ? 'a list' : 'an object';
  return quoted(raw);
}
