import {
  type GraphQLEnumType,
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

import { inRestSpelling, type JsonSchema, nullable, objectOf } from './described.ts';
import { snakeCased } from './endpoint.ts';

/** The schema of list items. GraphQL accepts a single value for a list, and so do endpoints. */
export function describeInput(type: GraphQLInputType, enumOf: (type: GraphQLEnumType) => JsonSchema): JsonSchema {
  if (isNonNullType(type)) return describeInput(type.ofType, enumOf);
  if (isListType(type)) {
    const items = describeInput(type.ofType, enumOf);
    return { anyOf: [items, { type: 'array', items }] };
  }
  if (isEnumType(type)) return enumOf(type);
  if (!isInputObjectType(type)) return { type: type.name === 'Int' ? 'integer' : 'string' };
  const fields = Object.values(type.getFields());
  const properties = fields.map((field) => {
    const described = describeInput(field.type, enumOf);
    const description = inRestSpelling(field.description ?? '');
    return [snakeCased(field.name), { ...(isNonNullType(field.type) ? described : nullable(described)), description }];
  });
  const required = fields.filter((field) => isNonNullType(field.type)).map((field) => snakeCased(field.name));
  return { ...objectOf(Object.fromEntries(properties), inRestSpelling(type.description ?? '')), required };
}
