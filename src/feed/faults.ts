import { GraphQLError } from 'graphql';

import { DomainError } from '../rules/errors.ts';

/** Whether an error is the service's own: the client has done nothing wrong, and may come back and resume. */
export function isFault(error: unknown): boolean {
  if (error instanceof DomainError) return false;
  if (!(error instanceof GraphQLError)) return true;
  return error.originalError !== undefined && isFault(error.originalError);
}

/** Reports an error the first time that it is seen: a fault of what many share reaches each of them. */
export function reportOnce(report: (error: unknown) => void): (error: unknown) => void {
  const seen = new WeakSet<object>();
  return (error) => {
    if (typeof error === 'object' && error !== null) {
      if (seen.has(error)) return;
      seen.add(error);
    }
    report(error);
  };
}
