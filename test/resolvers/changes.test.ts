import { expect, test } from '@jest/globals';

import { changesSince, isAbove } from '../../src/resolvers/changes.ts';

test.each([
  ['0.10.0', '0.9.0', true],
  ['0.9.9', '0.10.0', false],
  ['1.0.0', '0.99.99', true],
  ['0.4.0', '0.4.0', false],
  ['0.4.1', '0.4.0', true],
] as const)('%s above %s: %s', (version, other, above) => {
  expect(isAbove(version, other)).toBe(above);
});

test('changes since a version are those of versions above it, in their order', () => {
  const changes = ['0.10.0', '0.9.0', '0.8.0'].map((version) => ({
    version,
    date: '2026-01-01',
    kind: 'added' as const,
    text: version,
  }));
  expect(changesSince('0.8.0', changes).map(({ version }) => version)).toEqual(['0.10.0', '0.9.0']);
});
