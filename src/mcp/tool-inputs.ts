import { type GraphQLEnumType, isInputObjectType } from 'graphql';

import type { CompiledEndpoint, Parameter, Table } from '../rest/compile.ts';
import { describeInput } from '../rest/described-inputs.ts';
import type { Tool } from './tools.ts';

export type InputSchema = ReturnType<typeof inputSchemaOf>;

const DOCUMENT = {
  type: 'object' as const,
  properties: {
    query: { type: 'string', description: 'A GraphQL document with one query.' },
    variables: { type: 'object', description: 'Its variables by name.' },
  },
  required: ['query'],
  additionalProperties: false,
};

export function inputSchemaOf(tool: Tool, table: Table) {
  if (tool.answers === 'graphql') return DOCUMENT;
  const rows = tool.answers.map((name) => endpointOf(table, name));
  const derived = Object.keys(tool.derived?.({}) ?? {});
  const seen = rows.map((row) => row.parameters.filter(({ name }) => !derived.includes(name)));
  const properties = seen.flat().map((parameter) => [parameter.name, schemaOf(parameter, tool)] as const);
  const [first = [], ...others] = seen;
  const always = first.filter(
    ({ name, required }) => required && others.every((row) => row.some((other) => other.name === name)),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: always.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Throws for an unknown row: the two lists have diverged. */
export function endpointOf(table: Table, name: string): CompiledEndpoint {
  const endpoint = table.get(name);
  if (endpoint === undefined) throw new Error(`A tool must name endpoints of the table (got ${name})`);
  return endpoint;
}

function schemaOf(parameter: Parameter, { defaults }: Tool): object {
  const { name, description, fallback } = parameter;
  const preset = defaults?.[name] ?? fallback;
  return { ...typeOf(parameter), description, ...(preset === undefined ? {} : { default: preset }) };
}

function typeOf({ name, type, spellings, min, max }: Parameter): object {
  if (spellings !== null) return { type: 'string', enum: [...spellings.keys()] };
  if (isInputObjectType(type)) return { type: 'array', items: describeInput(type, valuesOf) };
  // Ids start at 1 in every endpoint.
  if (type === 'Int') return { type: 'integer', minimum: name.endsWith('_id') ? 1 : min, maximum: max };
  return { type: type === 'Boolean' ? 'boolean' : 'string' };
}

function valuesOf(type: GraphQLEnumType) {
  return { type: 'string', enum: type.getValues().map(({ name }) => name) };
}
