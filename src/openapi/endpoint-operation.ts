import { type GraphQLEnumType, type GraphQLSchema, isInputObjectType } from 'graphql';

import { LIMITS, MAX_ID, OWN_ORIGIN_ONLY } from '../limits.ts';
import { callersName, type CompiledEndpoint, type Parameter } from '../rest/compile.ts';
import { type JsonSchema, objectOf, present, propertiesOf } from '../rest/described.ts';
import { describeInput } from '../rest/described-inputs.ts';
import type { ErrorCode } from '../rules/errors.ts';
import { describeData, enumReference } from './document-data.ts';
import { operationIdOf } from './names.ts';
import { component, type Operation, type OperationParameter, type RequestBody, type Response } from './openapi.ts';
import { type HEADERS, headers, inWords, LIMITED, rateLimit, refusals } from './responses.ts';

export interface Example {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly answer: unknown;
  /** The answer with 200, for an endpoint that usually answers 201. */
  readonly checked?: unknown;
}

export function endpointOperation(endpoint: CompiledEndpoint, schema: GraphQLSchema, example: Example): Operation {
  const { method, path, summary, limit } = endpoint;
  const body = requestBody(endpoint, example);
  return {
    operationId: operationIdOf(endpoint),
    summary,
    ...marked(`Limit: ${inWords(limit)}.`, useOf(endpoint, null)),
    tags: [TAGS[path.split(/[/.]/)[2] ?? ''] ?? 'Service'],
    security: securityOf(endpoint),
    parameters: endpoint.parameters
      .filter(({ source }) => source.kind !== 'body')
      .map((parameter) => operationParameter(parameter, example, useOf(endpoint, parameter.name))),
    ...(body === null ? {} : { requestBody: body }),
    responses: {
      ...successes(endpoint, schema, example),
      ...(method === 'GET' ? { 304: component('responses', 'NOT_MODIFIED') } : {}),
      ...refusals(codesOf(endpoint), { limit, endpoint: `${method} ${path}` }),
      ...(body === null ? {} : { 413: component('responses', 'TOO_LARGE') }),
    },
    'x-rate-limit': rateLimit(limit),
  };
}

/** A key is optional where callers are counted by address, and the answer varies with the key. */
function securityOf({ limit, caching }: CompiledEndpoint): Operation['security'] {
  if (LIMITS[limit].scope === 'agent') return [{ apiKey: [] }];
  return caching.forNow['Vary'] === 'Authorization' ? [{}, { apiKey: [] }] : [];
}

function useOf({ deprecated }: CompiledEndpoint, parameter: string | null): string | undefined {
  return deprecated.find((one) => one.parameter === parameter)?.use;
}

function marked(description: string, use: string | undefined): { description: string; deprecated?: true } {
  return use === undefined ? { description } : { description: `Deprecated: ${use} ${description}`, deprecated: true };
}

function successes(
  endpoint: CompiledEndpoint,
  schema: GraphQLSchema,
  example: Example,
): Readonly<Record<string, Response>> {
  const { summary, success = 200, means, text } = endpoint;
  const body = text === undefined ? describeBody(endpoint, schema) : { type: 'string' };
  const type = mediaType(text?.contentType ?? 'application/json');
  const response = (description: string, answer: unknown): Response => ({
    description,
    headers: headers(...LIMITED, ...answerHeaders(endpoint)),
    content: { [type]: { schema: body, ...(answer === undefined ? {} : { example: answer }) } },
  });
  if (means === undefined) return { [success]: response(summary, example.answer) };
  return { 200: response(means[200], example.checked), 201: response(means[201], example.answer) };
}

export function describeBody({ document, shape, missing }: CompiledEndpoint, schema: GraphQLSchema): JsonSchema {
  const described = describeData(document, schema);
  const data = missing === undefined ? described : withFirst(described);
  if (shape !== undefined) return shape.describe(data);
  return propertiesOf(data)['body'] ?? data;
}

/** The first field is present: otherwise the answer is a 404. */
function withFirst(data: JsonSchema): JsonSchema {
  const [[name, first] = ['', {}], ...others] = Object.entries(propertiesOf(data));
  return objectOf(Object.fromEntries([[name, present(first)], ...others]));
}

function answerHeaders({ method, answerHeaders: extra }: CompiledEndpoint): (keyof typeof HEADERS)[] {
  return [
    ...(method === 'GET' ? ['ETag', 'Cache-Control'] : []),
    ...(extra === undefined ? [] : ['Idempotent-Replayed', 'Hourcast-Leaf']),
  ];
}

function codesOf({ limit, missing, refusals: own = [] }: CompiledEndpoint): readonly ErrorCode[] {
  return [
    'BAD_REQUEST',
    ...(LIMITS[limit].scope === 'agent' ? (['UNAUTHENTICATED'] as const) : []),
    ...(OWN_ORIGIN_ONLY.has(limit) ? (['FORBIDDEN'] as const) : []),
    ...own,
    ...(missing === undefined ? [] : (['NOT_FOUND'] as const)),
    'RATE_LIMITED',
    'INTERNAL',
    'UNAVAILABLE',
  ];
}

function operationParameter(parameter: Parameter, example: Example, use: string | undefined): OperationParameter {
  const { name, source, required, description } = parameter;
  const shown = example.parameters?.[name];
  return {
    name: callersName(parameter),
    in: source.kind === 'body' ? 'query' : source.kind,
    required: required || source.kind === 'path',
    ...marked(description, use),
    schema: describeParameter(parameter),
    ...(shown === undefined ? {} : { example: shown }),
  };
}

function requestBody(endpoint: CompiledEndpoint, example: Example): RequestBody | null {
  const fields = endpoint.parameters.filter(({ source }) => source.kind === 'body');
  if (fields.length === 0) return null;
  // Generators treat fields with a default as always present, so callers would have to send them.
  const properties = fields.map((field) => {
    const { default: _unset, ...described } = describeParameter(field);
    return [field.name, { ...described, description: field.description }];
  });
  const schema = {
    ...objectOf(Object.fromEntries(properties)),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
  };
  const shown = example.body === undefined ? {} : { example: example.body };
  return { required: true, content: { 'application/json': { schema, ...shown } } };
}

/** An enum's component, or the request's own spellings. */
function spellingsOf(type: GraphQLEnumType, spellings: Parameter['spellings']): JsonSchema {
  const isAsNamed = [...(spellings ?? [])].every(([spelling, name]) => spelling === name);
  return isAsNamed ? enumReference(type) : { type: 'string', enum: [...(spellings?.keys() ?? [])] };
}

function describeParameter({ type, isList, spellings, min, max, fallback }: Parameter): JsonSchema {
  const byDefault = fallback === undefined ? {} : { default: fallback };
  if (isInputObjectType(type)) return { type: 'array', items: describeInput(type, enumReference) };
  if (isList) return { type: 'array', items: { type: 'string' } };
  if (type === 'String' || type === 'Boolean') return { type: type.toLowerCase(), ...byDefault };
  if (type !== 'Int') return { ...spellingsOf(type, spellings), ...byDefault };
  return {
    type: 'integer',
    ...(min < 0 ? {} : { minimum: min }),
    ...(max < MAX_ID ? { maximum: max } : {}),
    ...byDefault,
  };
}

export function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0] ?? contentType;
}

const TAGS: Readonly<Record<string, string>> = {
  agents: 'Agents',
  me: 'Agents',
  rounds: 'Rounds',
  predictions: 'Rounds',
  briefing: 'Rounds',
  schedule: 'Rounds',
  leaderboard: 'Boards and figures',
  stats: 'Boards and figures',
  forecast: 'Boards and figures',
  benchmarks: 'Boards and figures',
  models: 'Boards and figures',
  data: 'Prices',
  events: 'Live',
  export: 'Exports',
};
