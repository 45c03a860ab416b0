import type { IncomingHttpHeaders } from 'node:http';

import { type GraphQLInputObjectType, isInputObjectType } from 'graphql';

import { checkFields, checkKnown, hasOnly, queryOf, singleValue } from '../http/parameters.ts';
import { checkAll, checkEach, DomainError, quoted } from '../rules/errors.ts';
import { callersName, type CompiledEndpoint, type Parameter, restName } from './compile.ts';
import type { Data } from './endpoint.ts';

export interface RequestParts {
  /** The address, with its query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** By the names in braces of the endpoint's path. */
  readonly path: Data;
  readonly body: Data;
}

const NO_QUERY = new URLSearchParams();

/**
 * The endpoint's variables from the request, of the right types and never coerced: `"85"` in a body is no number.
 * Absent ones are left out, so that the schema's defaults hold. Throws one `BAD_REQUEST` for all that is wrong with them.
 */
export function variablesOf(endpoint: CompiledEndpoint, asked: RequestParts): Data {
  const { url, body } = asked;
  if (!url.includes('?') && hasOnly(body, endpoint.fields))
    return checkedVariables(endpoint, (parameter) => rawValue(parameter, asked, NO_QUERY));
  const query = queryOf({ originalUrl: url });
  const known = endpoint.parameters.filter(({ source }) => source.kind === 'query').map(({ name }) => name);
  let variables: Data = {};
  checkAll([
    () => checkKnown(query, known),
    () => checkFields(body, endpoint.fields),
    () => (variables = checkedVariables(endpoint, (parameter) => rawValue(parameter, asked, query))),
  ]);
  return variables;
}

/** The same of values that `rawOf` finds, undefined or null where there is none. */
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

function missing({ name, description, words, mustBe }: Parameter): DomainError {
  const told = words === null ? description : `It must be ${mustBe}.`;
  return new DomainError('missing_parameter', `${name} is required. ${told}`, { argument: name });
}

function rawValue({ name, source, type }: Parameter, asked: RequestParts, query: URLSearchParams): unknown {
  switch (source.kind) {
    case 'path':
      return valueOfText(type, asked.path[name]);
    case 'query':
      return valueOfText(type, singleValue(query, name));
    case 'header':
      return asked.headers[source.header.toLowerCase()];
    case 'body':
      return Object.hasOwn(asked.body, name) ? asked.body[name] : undefined;
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
  if (!fits(parameter, raw)) throw refusedValue(parameter, raw);
  if (isInputObjectType(parameter.type) && Array.isArray(raw)) return objectsOf(parameter, parameter.type, raw);
  try {
    parameter.check(raw);
  } catch (error) {
    throw error instanceof DomainError ? error.translated(() => callersName(parameter)) : error;
  }
  return typeof raw === 'string' ? (parameter.words?.get(raw) ?? raw) : raw;
}

/** The objects of a list with the schema's names; fields that it does not know are left out, but for what is nearly one of its own. */
function objectsOf({ name, check }: Parameter, type: GraphQLInputObjectType, raw: readonly unknown[]): unknown {
  const names = new Map(Object.keys(type.getFields()).map((field) => [restName(field), field]));
  const objects = raw.map((one) => {
    if (typeof one !== 'object' || one === null) return one;
    const fields = Object.entries(one).filter(([field]) => names.has(field));
    return Object.fromEntries(fields.map(([field, value]) => [names.get(field), value]));
  });
  try {
    checkAll([
      ...raw.map((one, place) => () => checkObject(Object(one), `${name}[${place}]`, [...names.keys()])),
      () => check(objects),
    ]);
  } catch (error) {
    throw error instanceof DomainError ? error.translated(restName) : error;
  }
  return objects;
}

function checkObject(object: object, place: string, known: readonly string[]): void {
  try {
    checkFields(object, known);
  } catch (error) {
    throw error instanceof DomainError ? error.translated((argument) => `${place}.${argument}`) : error;
  }
}

function fits({ type, isList, words, min, max }: Parameter, raw: unknown): boolean {
  if (isList) return Array.isArray(raw) && (type !== 'String' || raw.every((one) => typeof one === 'string'));
  if (type === 'String') return typeof raw === 'string';
  if (type === 'Boolean') return typeof raw === 'boolean';
  if (type === 'Int') return typeof raw === 'number' && Number.isInteger(raw) && raw >= min && raw <= max;
  return typeof raw === 'string' && words?.has(raw) === true;
}

function refusedValue({ name, type, mustBe, max }: Parameter, raw: unknown): DomainError {
  // The words of an id have no largest, which only a larger one needs to know.
  const isTooLarge = type === 'Int' && typeof raw !== 'object' && Number(raw) > max && !mustBe.includes(' to ');
  const most = isTooLarge ? `${mustBe.includes(' from ') ? '' : ' up'} to ${max}` : '';
  const message = `${name} must be ${mustBe}${most} (got ${valueForMessage(raw)}).`;
  return new DomainError('invalid_parameter', message, { argument: name });
}

/** Of lists and objects the kind alone. */
function valueForMessage(raw: unknown): string {
  if (typeof raw === 'object') return Array.isArray(raw) ? 'a list' : 'an object';
  return quoted(raw);
}
