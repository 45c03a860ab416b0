import { type GraphQLNamedType, type GraphQLSchema, isEnumType, isInputObjectType, isObjectType } from 'graphql';

/**
 * Mean lengths of introspection lists by `__Type.field`, so that products along a query give the number of items. The schema
 * has no interfaces and unions.
 */
export function schemaListLengths(schema: GraphQLSchema): ReadonlyMap<string, number> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap(fieldsIn);
  const directives = schema.getDirectives();
  const perType = (count: (type: GraphQLNamedType) => number): number => meanOf(types.map(count));
  return new Map([
    ['__Schema.types', types.length],
    ['__Schema.directives', directives.length],
    ['__Directive.args', meanOf(directives.map(({ args }) => args.length))],
    ['__Type.fields', perType((type) => fieldsIn(type).length)],
    ['__Type.inputFields', perType((type) => (isInputObjectType(type) ? Object.keys(type.getFields()).length : 0))],
    ['__Type.interfaces', 0],
    ['__Type.enumValues', perType((type) => (isEnumType(type) ? type.getValues().length : 0))],
    ['__Type.possibleTypes', 0],
    ['__Field.args', meanOf(fields.map(({ args }) => args.length))],
  ]);
}

function fieldsIn(type: GraphQLNamedType) {
  return isObjectType(type) ? Object.values(type.getFields()) : [];
}

function meanOf(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0) / lengths.length;
}
