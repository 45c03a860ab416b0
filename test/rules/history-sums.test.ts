import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { historySums } from '../../src/rules/history-sums.ts';

const record = fc
  .array(fc.integer({ min: -10_000, max: 10_000 }), { maxLength: 60 })
  .map((figures) => figures.map((figure, place) => ({ id: 3 * place + 1, figures: [figure, 1] })));

test('a history has a point for each group of equally many rounds, counted from the newest, and all that they brought', () => {
  fc.assert(
    fc.property(record, fc.integer({ min: 1, max: 70 }), (rounds, max) => {
      const points = historySums(rounds, max);
      expect(points.length).toBeLessThanOrEqual(max);
      expect(points.flatMap((point) => Array.from({ length: point.rounds }, () => point.roundId))).toHaveLength(
        rounds.length,
      );
      const [first, ...later] = points;
      const sizes = new Set(later.map((point) => point.rounds));
      expect(sizes.size).toBeLessThanOrEqual(1);
      for (const size of sizes) expect(first?.rounds).toBeLessThanOrEqual(size);
      let end = 0;
      for (const { roundId, rounds: n, sums, cumulative } of points) {
        const [group, before] = [rounds.slice(end, end + n), rounds.slice(0, end + n)];
        end += n;
        const sumOf = (some: typeof rounds): number => some.reduce((sum, { figures: [figure = 0] }) => sum + figure, 0);
        expect({ roundId, sums, cumulative }).toEqual({
          roundId: group.at(-1)?.id,
          sums: [sumOf(group), n],
          cumulative: [sumOf(before), end],
        });
      }
    }),
  );
});

test('as many rounds as points asked for are a point each', () => {
  const rounds = [1, 2, 3].map((id) => ({ id, figures: [id] }));
  expect(historySums(rounds, 3).map(({ rounds: n }) => n)).toEqual([1, 1, 1]);
  expect(historySums(rounds, 2).map(({ rounds: n }) => n)).toEqual([1, 2]);
  expect(historySums([], 5)).toEqual([]);
});
