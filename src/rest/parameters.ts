import type { Request } from 'express';

import { DomainError } from '../rules/errors.ts';
import type { CompiledEndpoint, Parameter } from './compile.ts';
import type { Data } from './endpoint.ts';

const LONGEST_SHOWN = 60;
const INT32 = { least: -(2 ** 31), most: 2 ** 31 - 1 };

/**
 * The endpoint's variables from the request, of the right types and never coerced: `"85"` in a body is no number.
 * Absent ones are left out, so that the schema's defaults hold. Throws `BAD_REQUEST` that names the parameter, and
 * `NOT_FOUND` for an id in the path that no row can have.
 */
export function variablesOf(endpoint: CompiledEndpoint, request: Request, body: Data): Data {
  const values = endpoint.parameters.flatMap((parameter) => {
    const raw = rawValue(parameter, request, body);
    if (raw != null) return [[parameter.name, typed(endpoint, parameter, raw)] as const];
    if (!parameter.required) return [];
    throw new DomainError('BAD_REQUEST', `${parameter.name} is missing. It takes: ${parameter.takes}`);
  });
  return Object.fromEntries(values);
}

function rawValue({ name, source }: Parameter, request: Request, body: Data): unknown {
  switch (source.kind) {
    case 'path':
      return wholeNumberOf(request.params[name]);
    case 'query':
      return wholeNumberOf(onlyOne(name, new URLSearchParams(queryOf(request)).getAll(name)));
    case 'header':
      return request.get(source.header);
    case 'body':
      return Object.hasOwn(body, name) ? body[name] : undefined;
  }
}

function queryOf({ originalUrl }: Request): string {
  const mark = originalUrl.indexOf('?');
  return mark === -1 ? '' : originalUrl.slice(mark);
}

function onlyOne(name: string, values: readonly string[]): string | undefined {
  if (values.length > 1) throw new DomainError('BAD_REQUEST', `${name} is given ${values.length} times; give it once.`);
  return values[0];
}

/** Text of an address that writes a whole number as that number; other text as it is. */
function wholeNumberOf(text: unknown): unknown {
  return typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text;
}

function typed(endpoint: CompiledEndpoint, parameter: Parameter, raw: unknown): unknown {
  const { name, type, source } = parameter;
  if (type === 'String') return typeof raw === 'string' ? raw : refuse(parameter, raw);
  if (type !== 'Int') return typeof raw === 'string' && type.getValue(raw) ? raw : refuse(parameter, raw);
  if (typeof raw !== 'number') return refuse(parameter, raw);
  if (source.kind === 'path' && raw > INT32.most)
    throw new DomainError('NOT_FOUND', endpoint.missing?.({ [name]: raw }) ?? 'There is no such thing.');
  const most = name === 'limit' ? (endpoint.pageSize?.most ?? INT32.most) : INT32.most;
  return Number.isInteger(raw) && raw >= leastOf(parameter) && raw <= most ? raw : refuse(parameter, raw);
}

/** Whole numbers in an address are ids or counts; a body's have bounds of the domain's own. */
function leastOf({ name, source }: Parameter): number {
  if (source.kind === 'body') return INT32.least;
  return name === 'limit' ? 1 : 0;
}

function refuse({ name, takes }: Parameter, raw: unknown): never {
  throw new DomainError('BAD_REQUEST', `${name} does not take ${shown(raw)}. It takes: ${takes}`);
}

/** A refused value as it goes into the message. Of lists and objects the kind alone: writing deep ones out can fail. */
function shown(raw: unknown): string {
  if (typeof raw === 'object') return Array.isArray(raw) ? 'a list' : 'an object';
  // JSON has no text for a number without end, which a long row of digits is.
  const text = typeof raw === 'number' ? String(raw) : JSON.stringify(raw);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}...` : text;
}
