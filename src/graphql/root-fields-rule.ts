import { type ASTVisitor, Kind, type SelectionSetNode, type ValidationContext } from 'graphql';

import { QUERY_LIMITS } from '../limits.ts';
import { overLimit } from './over-limit.ts';

/** Counts what an operation asks of Query, Mutation or Subscription itself, also through fragments. */
export function rootFieldsRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ selectionSet }) {
      const fields = countFields(selectionSet, context, new Set());
      if (fields > QUERY_LIMITS.rootFields) context.reportError(overLimit('rootFields', fields));
    },
  };
}

/** A fragment counts once: spread again it adds nothing to the answer. */
function countFields({ selections }: SelectionSetNode, context: ValidationContext, spread: Set<string>): number {
  let fields = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) fields += 1;
    else if (selection.kind === Kind.INLINE_FRAGMENT) fields += countFields(selection.selectionSet, context, spread);
    else if (!spread.has(selection.name.value)) {
      spread.add(selection.name.value);
      const fragment = context.getFragment(selection.name.value);
      if (fragment) fields += countFields(fragment.selectionSet, context, spread);
    }
  }
  return fields;
}
