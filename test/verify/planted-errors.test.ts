import { expect, test } from '@jest/globals';

import { verify } from '../../src/verify/verification.ts';
import { ERRORS_IN_ROUNDS } from './errors-in-rounds.ts';
import { ERRORS_IN_SUMS } from './errors-in-sums.ts';
import { withPlanted } from './planting.ts';
import { playedService } from './played-service.ts';

const field = playedService();

test.each([...ERRORS_IN_ROUNDS, ...ERRORS_IN_SUMS])(
  'verify finds the planted error with both values: $name',
  async (planted) => {
    await withPlanted(field.service.newEm, planted, async (expected) => {
      const { differences } = await verified();
      expect(expected.length).toBeGreaterThan(0);
      expect(differences).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
    });
  },
);

test('verify notes rounds that were decided in the same millisecond', async () => {
  const tie = 'update rounds r set decided_at = b.decided_at from rounds b where b.id = 5 and r.id = 6';
  await withPlanted(field.service.newEm, { statements: [tie] }, async () => {
    const { notes } = await verified();
    expect(notes).toContain('rounds 5 and 6 were decided in the same millisecond: taken in this order.');
  });
});

test('verify finds no difference once the errors are gone', async () => {
  expect((await verified()).differences).toEqual([]);
});

function verified() {
  return verify({ url: field.service.url, rounds: null, candles: null }, { print: () => {}, wait: async () => {} });
}
