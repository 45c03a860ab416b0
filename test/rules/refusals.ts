import { expect } from '@jest/globals';
import { DomainError } from '../../src/rules/errors.ts';

/** Expects `act` to throw a BAD_REQUEST whose one-line message holds every one of `parts`. */
export function expectBadRequest(act: () => void, ...parts: readonly string[]): void {
  let thrown: unknown;
  try {
    act();
  } catch (error) {
    thrown = error;
  }
  if (!(thrown instanceof DomainError)) throw new Error('expected a DomainError', { cause: thrown });
  expect(thrown.code).toBe('BAD_REQUEST');
  for (const part of parts) expect(thrown.message).toContain(part);
  expect(thrown.message).not.toContain('\n');
}
