import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import { maxDirectivesRule } from '@escape.tech/graphql-armor-max-directives';
import {
  type DocumentNode,
  type GraphQLError,
  type GraphQLSchema,
  specifiedRules,
  validate,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

import { QUERY_LIMITS, type QueryLimit } from '../limits.ts';
import { overLimit } from './over-limit.ts';
import { rootFieldsRule } from './root-fields-rule.ts';

/**
 * The limits that a document's text alone can exceed, beside graphql-js's own rules. graphql-armor counts and refuses
 * nothing: its refusals call themselves syntax errors, and say the figures in words only.
 */
export function validationRules(): ValidationRule[] {
  return [
    maxDepthRule({ ...counting('depth'), flattenFragments: true }),
    maxAliasesRule(counting('aliases')),
    maxDirectivesRule(counting('directives')),
    rootFieldsRule,
  ];
}

/** What is wrong with a document, for those transports that do not validate themselves. */
export function validateDocument(schema: GraphQLSchema, document: DocumentNode): readonly GraphQLError[] {
  return validate(schema, document, [...specifiedRules, ...validationRules()]);
}

function counting(limit: QueryLimit) {
  return {
    n: Number.POSITIVE_INFINITY,
    onAccept: [
      (context: ValidationContext | null, { n }: { n: number }): void => {
        if (n > QUERY_LIMITS[limit]) context?.reportError(overLimit(limit, n));
      },
    ],
  };
}
