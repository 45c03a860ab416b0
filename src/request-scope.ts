import { AsyncLocalStorage } from 'node:async_hooks';

/** The request or job that work belongs to, however much later the work runs. */
export interface RequestScope {
  readonly requestId: string | undefined;
  /** By `steadyMs`; undefined: none. */
  readonly deadline: number | undefined;
}

const NONE: RequestScope = { requestId: undefined, deadline: undefined };

/** One storage for both values: to enter one copies every other. */
const scopes = new AsyncLocalStorage<RequestScope>();

export function requestScope(): RequestScope {
  return scopes.getStore() ?? NONE;
}

/** Runs work in the present scope, changed by this. */
export function inScope<T>(changed: Partial<RequestScope>, work: () => T): T {
  return scopes.run({ ...requestScope(), ...changed }, work);
}
