import {
  getNamedType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  isRequiredArgument,
} from 'graphql';

/** A document with a selection at one place of the schema. */
export interface PathDocument {
  /** Such as `Query.round.predictions.nodes`. */
  readonly place: string;
  readonly query: string;
}

/** Arguments by `Type.field`: a document for each variant, none for an empty list. */
type Ways = Readonly<Record<string, readonly string[]>>;

/** The maximum of fields in a path: through a list's page to a row, and from there to another's rows. */
const LONGEST = 4;

/**
 * A document for every path of at most `LONGEST` fields from Query to a type of this name, with `selection` at its end. A path
 * has no field name twice, and follows pages by their nodes. Fields with required arguments need a row in `ways`.
 */
export function documentsTo(
  schema: GraphQLSchema,
  { type: name, selection, ways }: { readonly type: string; readonly selection: string; readonly ways: Ways },
): readonly PathDocument[] {
  const found: PathDocument[] = [];
  const walk = (type: GraphQLObjectType, path: readonly string[], around: (inner: string) => string): void => {
    if (type.name === name) found.push({ place: path.join('.'), query: around(`{ ${selection} }`) });
    if (path.length > LONGEST) return;
    for (const field of Object.values(type.getFields())) {
      const next = getNamedType(field.type);
      if (!isObjectType(next) || field.name === 'edges' || path.includes(field.name)) continue;
      for (const way of ways[`${type.name}.${field.name}`] ?? waysWithout(field)) {
        walk(next, [...path, field.name], (inner) => around(`{ ${field.name}${way} ${inner} }`));
      }
    }
  };
  const query = schema.getQueryType();
  if (query) walk(query, ['Query'], (inner) => inner);
  return found;
}

function waysWithout({ args }: GraphQLField<unknown, unknown>): readonly string[] {
  return args.some(isRequiredArgument) ? [] : [''];
}
