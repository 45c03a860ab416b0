import { expect, test } from '@jest/globals';
import { assert, integer, property } from 'fast-check';

import { shareOut, USUAL_CONNECTIONS } from '../../src/database/connection-shares.ts';

const sum = (shares: object): number => Object.values(shares).reduce((total, share) => total + share, 0);

test('a process with Redis has 12 connections by default', () => {
  const shares = shareOut(USUAL_CONNECTIONS, { alone: false });
  expect(shares).toEqual({ jobs: 3, api: 3, submissions: 2, registrations: 1, urgent: 1, feed: 1, exports: 1 });
});

test('a process without Redis has 8 of 12 connections, beside queue and listener', () => {
  expect(sum(shareOut(USUAL_CONNECTIONS, { alone: true }))).toBe(8);
});

test('all connections are distributed, and a larger total shrinks no pool', () => {
  assert(
    property(integer({ min: USUAL_CONNECTIONS, max: 500 }), (connections) => {
      const [some, more] = [connections, connections + 1].map((count) => shareOut(count, { alone: false }));
      expect(sum(some ?? {})).toBe(connections);
      expect(Object.entries(more ?? {}).filter(([name, count]) => count < Reflect.get(some ?? {}, name))).toEqual([]);
    }),
  );
});
