import {
  type FieldNode,
  getOperationAST,
  type GraphQLEnumType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type SelectionSetNode,
} from 'graphql';

import { inRestSpelling, type JsonSchema, nullable, objectOf } from '../rest/described.ts';
import type { TimeFormat } from '../rules/hours.ts';
import { component, type Reference } from './openapi.ts';

/** Describes a document's data by aliases, from the schema's types, nullability and descriptions. */
export function describeData(document: string, schema: GraphQLSchema): JsonSchema {
  const operation = getOperationAST(parse(document));
  if (operation == null) throw new Error('An endpoint has exactly one operation');
  const root = schema.getRootType(operation.operation);
  if (root == null) throw new Error(`The schema has no ${operation.operation}`);
  return objectOf(propertiesOf(operation.selectionSet, root));
}

export function describeEnum(type: GraphQLEnumType): JsonSchema {
  const values = type.getValues();
  const listed = values.map(({ name, description }) => `- \`${name}\`: ${description ?? ''}`).join('\n');
  const description = inRestSpelling(`${type.description ?? ''}\n\n${listed}`);
  return { type: 'string', description, enum: values.map(({ name }) => name) };
}

export function enumReference({ name }: GraphQLEnumType): Reference {
  return component('schemas', name);
}

function propertiesOf({ selections }: SelectionSetNode, type: GraphQLObjectType): Record<string, JsonSchema> {
  const properties: Record<string, JsonSchema> = {};
  for (const selection of selections) {
    if (selection.kind !== Kind.FIELD) throw new Error('Documents of endpoints have no fragments');
    const field = type.getFields()[selection.name.value];
    if (field === undefined) throw new Error(`${type.name} has no field ${selection.name.value}`);
    properties[(selection.alias ?? selection.name).value] = describeField(selection, field);
  }
  return properties;
}

function describeField(node: FieldNode, field: GraphQLField<unknown, unknown>): JsonSchema {
  const described = describeType(field.type, { node, field });
  return field.description == null ? described : { ...described, description: inRestSpelling(field.description) };
}

interface FieldUse {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown>;
}

function describeType(type: GraphQLOutputType, use: FieldUse): JsonSchema {
  return isNonNullType(type) ? describePresent(type.ofType, use) : nullable(describePresent(type, use));
}

function describePresent(type: GraphQLOutputType, use: FieldUse): JsonSchema {
  if (isListType(type)) return { type: 'array', items: describeType(type.ofType, use) };
  if (isEnumType(type)) return enumReference(type);
  if (isObjectType(type)) {
    const { selectionSet } = use.node;
    if (selectionSet === undefined) throw new Error(`${type.name} is asked for without fields`);
    return objectOf(propertiesOf(selectionSet, type), inRestSpelling(type.description ?? ''));
  }
  return isNonNullType(type) ? describeType(type, use) : describeScalar(type.toString(), use);
}

export const INSTANT: JsonSchema = { type: 'string', format: 'date-time' };

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: INSTANT,
  JSON: { type: 'object' },
  String: { type: 'string' },
};

function describeScalar(name: string, use: FieldUse): JsonSchema {
  const described = (name === 'String' ? timeOf(use) : null) ?? SCALARS[name];
  if (described !== undefined) return described;
  throw new Error(`${use.field.name} is of type ${name}, which has no description in the reference`);
}

/** Forms without a zone are UTC. */
export const TIMES: Readonly<Record<TimeFormat, JsonSchema>> = {
  ISO: INSTANT,
  SPACED: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$` },
  JOINED: { type: 'string', pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$` },
};

function timeOf({ node, field }: FieldUse): JsonSchema | undefined {
  const argument = field.args.find(({ name }) => name === 'format');
  const given = node.arguments?.find(({ name }) => name.value === 'format')?.value;
  const format = given?.kind === Kind.ENUM ? given.value : argument?.defaultValue;
  return new Map<unknown, JsonSchema>(Object.entries(TIMES)).get(format);
}
