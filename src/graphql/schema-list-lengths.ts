import {
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';

/** Mean lengths of introspection lists by `__Type.field`, so that products along a query give the number of items. */
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
    ['__Type.interfaces', perType((type) => (isComposite(type) ? type.getInterfaces().length : 0))],
    ['__Type.enumValues', perType((type) => (isEnumType(type) ? type.getValues().length : 0))],
    ['__Type.possibleTypes', perType((type) => (isInterfaceType(type) ? schema.getPossibleTypes(type).length : 0))],
    ['__Field.args', meanOf(fields.map(({ args }) => args.length))],
  ]);
}

function fieldsIn(type: GraphQLNamedType) {
  return isComposite(type) ? Object.values(type.getFields()) : [];
}

function isComposite(type: GraphQLNamedType) {
  return isObjectType(type) || isInterfaceType(type);
}

function meanOf(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0) / Math.max(lengths.length, 1);
}
