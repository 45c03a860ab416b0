import { expect } from '@jest/globals';

/** A log names the begin of each outage once, and its end once; a busy machine has more outages than a test makes. */
export function expectOutagesOnce(log: string): void {
  const named = log.match(/Redis is (?:out of reach|back)/g) ?? [];
  expect(named).not.toEqual([]);
  expect(named).toEqual(named.map((_, place) => (place % 2 === 0 ? 'Redis is out of reach' : 'Redis is back')));
}
