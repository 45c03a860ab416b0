import type { IncomingHttpHeaders } from 'node:http';

import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';

import { checkFields, checkKnown, hasOnly, queryOf, singleValue } from '../http/parameters.ts';
import { checkAll, checkEach, DomainError, type NameOf, quoted } from '../rules/errors.ts';
import { callersName, type CompiledEndpoint, type Parameter } from './compile.ts';
import { type Data, snakeCased } from './endpoint.ts';

export interface RequestParts {
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly path: Data;
  readonly body: Data;
}

const NO_QUERY = new URLSearchParams();

/** Never coerced: `"85"` is no number. Absent ones use the schema's defaults. Throws one `BAD_REQUEST`. */
export function variablesOf(endpoint: CompiledEndpoint, parts: RequestParts): Data {
  const { url, body } = parts;
  if (!url.includes('?') && hasOnly(body, endpoint.fields))
    return checkedVariables(endpoint, (parameter) => rawValue(parameter, parts, NO_QUERY));
  const query = queryOf({ originalUrl: url });
  const known = endpoint.parameters.filter(({ source }) => source.kind === 'query').map(({ name }) => name);
  let variables: Data = {};
  checkAll([
    () => checkKnown(query, known),
    () => checkFields(body, endpoint.fields),
    () => (variables = checkedVariables(endpoint, (parameter) => rawValue(parameter, parts, query))),
  ]);
  return variables;
}

export function checkedVariables(
  { parameters }: Pick<CompiledEndpoint, 'parameters'>,
  rawOf: (parameter: Parameter) => unknown,
): Data {
  const values: Record<string, unknown> = {};
  checkEach(parameters, (parameter) => {
    const raw = rawOf(parameter);
    if (raw != null) values[parameter.name] = typed(parameter, raw);
    else if (parameter.required) throw missing(parameter);
  });
  return values;
}

function missing({ name, description, spellings, mustBe }: Parameter): DomainError {
  const advice = spellings === null ? description : `It must be ${mustBe}.`;
  return new DomainError('missing_parameter', `${name} is required. ${advice}`, { argument: name });
}

function rawValue({ name, source, type }: Parameter, parts: RequestParts, query: URLSearchParams): unknown {
  switch (source.kind) {
    case 'path':
      return valueOfText(type, parts.path[name]);
    case 'query':
      return valueOfText(type, singleValue(query, name));
    case 'header':
      return parts.headers[source.header.toLowerCase()];
    case 'body':
      return Object.hasOwn(parts.body, name) ? parts.body[name] : undefined;
  }
}

/** Parses exact numbers and booleans; returns other text unchanged, to be refused. */
function valueOfText(type: Parameter['type'], text: unknown): unknown {
  if (type === 'Boolean') return text === 'true' || text === 'false' ? text === 'true' : text;
  if (type !== 'Int') return text;
  const number = typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : text;
}

function typed(parameter: Parameter, raw: unknown): unknown {
  if (!fits(parameter, raw)) throw refusedValue(parameter, raw);
  if (isInputObjectType(parameter.type) && Array.isArray(raw)) return objectsOf(parameter, parameter.type, raw);
  translating(
    () => callersName(parameter),
    () => parameter.check(raw),
  );
  return typeof raw === 'string' ? (parameter.spellings?.get(raw) ?? raw) : raw;
}

/** List items with the schema's names; unknown fields are dropped, except likely typos, which are refused. */
function objectsOf({ name, check }: Parameter, type: GraphQLInputObjectType, raw: readonly unknown[]): unknown {
  const names = new Map(Object.keys(type.getFields()).map((field) => [snakeCased(field), field]));
  const objects = raw.map((one) => {
    if (typeof one !== 'object' || one === null) return one;
    const fields = Object.entries(one).filter(([field]) => names.has(field));
    return Object.fromEntries(fields.map(([field, value]) => [names.get(field), value]));
  });
  const checks = raw.map((one, index) => () => {
    translating(
      (argument) => `${name}[${index}].${argument}`,
      () => checkFields(Object(one), [...names.keys()]),
    );
  });
  translating(snakeCased, () => checkAll([...checks, () => check(objects)]));
  return objects;
}

function translating(nameOf: NameOf, check: () => void): void {
  try {
    check();
  } catch (error) {
    throw error instanceof DomainError ? error.translated(nameOf) : error;
  }
}

function fits({ type, isList, spellings, min, max }: Parameter, raw: unknown): boolean {
  if (isList) return Array.isArray(raw) && (type !== 'String' || raw.every((one) => typeof one === 'string'));
  if (type === 'String') return typeof raw === 'string';
  if (type === 'Boolean') return typeof raw === 'boolean';
  if (type === 'Int') return typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max;
  return typeof raw === 'string' && spellings?.has(raw) === true;
}

function refusedValue({ name, type, mustBe, max }: Parameter, raw: unknown): DomainError {
  // Descriptions of ids name no maximum, so it is added for a value above it.
  const isTooLarge = type === 'Int' && typeof raw !== 'object' && Number(raw) > max && !mustBe.includes(' to ');
  const most = isTooLarge ? `${mustBe.includes(' from ') ? '' : ' up'} to ${max}` : '';
  // Lists and objects are not quoted.
  const shown = Array.isArray(raw) ? 'a list' : typeof raw === 'object' ? 'an object' : quoted(raw);
  const message = `${name} must be ${mustBe}${most} (got ${shown}).`;
  return new DomainError('invalid_parameter', message, { argument: name });
}
