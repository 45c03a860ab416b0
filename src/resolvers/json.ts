import { GraphQLError, GraphQLScalarType } from 'graphql';

/** Any JSON object, as it is; answers only. */
export const json = new GraphQLScalarType<never, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON is no input type.');
  },
});
