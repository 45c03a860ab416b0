import {
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isObjectType,
  SchemaMetaFieldDef,
  TypeMetaFieldDef,
} from 'graphql';

import { FIELD_COSTS, LIST_BOUNDS, SIZE_ARGUMENTS } from '../limits.ts';

/** What one use of a field costs. */
export interface Weight {
  /** The field itself, once. */
  readonly own: number;
  /** How many times what is asked of it comes, given its arguments. */
  readonly times: (args: Readonly<Record<string, unknown>>) => number;
}

type Field = GraphQLField<unknown, unknown>;

const once = (): number => 1;
const FREE: Weight = { own: 0, times: once };
const LEAF: Weight = { own: 1, times: once };

/**
 * The weight of every field of the schema, by `Type.field`. A field counts 1, in a list once for each item that the
 * list may hold; the wrappers of pages count nothing. Throws for a list whose length nothing bounds: that stops the
 * start.
 */
export function fieldWeights(schema: GraphQLSchema): ReadonlyMap<string, Weight> {
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  const wrappers = new Set(types.filter((type) => isWrapper(type, types)));
  const weights = new Map<string, Weight>();
  for (const type of types) {
    for (const field of fieldsOf(type)) {
      const place = `${type.name}.${field.name}`;
      weights.set(place, wrappers.has(type) ? FREE : weightOf(type, field, place));
    }
  }
  for (const field of [SchemaMetaFieldDef, TypeMetaFieldDef]) {
    weights.set(`Query.${field.name}`, { own: FIELD_COSTS[`Query.${field.name}`] ?? 1, times: once });
  }
  return weights;
}

function weightOf(type: GraphQLObjectType, field: Field, place: string): Weight {
  if (type.name.startsWith('__')) return FREE;
  const own = FIELD_COSTS[place] ?? LEAF.own;
  const size = sizeArgumentOf(field);
  if (size !== null) return { own, times: (args) => asked(args[size.name], size) };
  if (!isListOfObjects(field.type)) return { own, times: once };
  const bound = LIST_BOUNDS[place];
  if (bound === undefined) throw new Error(`The list ${place} has neither a size argument nor a row in LIST_BOUNDS`);
  return { own, times: () => bound };
}

interface SizeArgument {
  readonly name: string;
  readonly usual: number;
  readonly most: number;
}

function sizeArgumentOf(field: Field): SizeArgument | null {
  for (const [name, most] of Object.entries(SIZE_ARGUMENTS)) {
    const argument = field.args.find((each) => each.name === name);
    if (argument)
      return { name, most, usual: typeof argument.defaultValue === 'number' ? argument.defaultValue : most };
  }
  return null;
}

/** A size outside the bounds costs as little or as much as the resolver would do at the most: it refuses the rest. */
function asked(value: unknown, { usual, most }: SizeArgument): number {
  return Math.min(Math.max(typeof value === 'number' ? value : usual, 0), most);
}

/** What only holds a page together: connections, boards, edges and page infos. */
function isWrapper(type: GraphQLObjectType, types: readonly GraphQLObjectType[]): boolean {
  if (type.name === 'PageInfo' || type.name.endsWith('Edge')) return true;
  const users = types
    .flatMap(fieldsOf)
    .filter((field) => getNamedType(field.type) === type && !isListType(bare(field)));
  return users.length > 0 && users.every((field) => sizeArgumentOf(field) !== null);
}

function fieldsOf(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields());
}

function bare(field: Field): GraphQLOutputType {
  return getNullableType(field.type);
}

function isListOfObjects(type: GraphQLOutputType): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}
