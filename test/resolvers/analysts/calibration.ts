import { beforeAll, describe, expect, test } from '@jest/globals';

import { dataOf } from '../../support/asking.ts';
import type { Fact, Played, PlayedField } from '../../support/played-field.ts';
import { calibrationByHand, rounded, scoredIn, WINDOWS } from '../../oracle/calibration.ts';

export function describeCalibration(played: () => Played): void {
  describe('calibration', () => {
    let field: PlayedField;
    let facts: readonly Fact[];

    beforeAll(() => {
      ({ field, facts } = played());
    });

    const FILTERS: readonly { readonly args: string; readonly meant: (fact: Fact) => boolean }[] = [
      { args: '', meant: () => true },
      { args: ', questionType: touch', meant: ({ questionType }) => questionType === 'touch' },
      {
        args: ', questionType: [direction, podium, best_performer]',
        meant: ({ questionType }) => ['direction', 'podium', 'best_performer'].includes(questionType),
      },
      { args: ', asset: "ETH"', meant: ({ assets }) => assets.includes('ETH') },
      {
        args: ', asset: "BTC", questionType: [relative, volatility, breadth]',
        meant: ({ assets, questionType }) =>
          assets.includes('BTC') && ['relative', 'volatility', 'breadth'].includes(questionType),
      },
    ];

    const CASES = WINDOWS.flatMap((window) => FILTERS.map((filter) => ({ window, ...filter })));

    test('the sample has different windows and void rounds', () => {
      const sizes = WINDOWS.map((window) => scoredIn(facts, window).length);
      expect(new Set(sizes).size).toBe(4);
      expect(facts.some(({ status }) => status === 'void')).toBe(true);
      expect(facts.some(({ status }) => status === 'active')).toBe(true);
    });

    test.each(WINDOWS)('calibration and standing agree to the last digit in %s', async (window) => {
      const figures = 'brier referenceBrier skill';
      const { agents } = await dataOf(
        field.service,
        `{ agents { nodes { calibration(window: ${window}) { ${figures} } standing(period: ${window}) { ${figures} } } } }`,
      );
      for (const { calibration, standing } of agents.nodes) expect(calibration).toEqual(standing);
    });

    test.each(CASES)(
      'calibration of agents and the field equals a recount for $window$args',
      async ({ window, args, meant }) => {
        const wanted = scoredIn(facts, window).filter(meant);
        const figures = `calibration(window: ${window}${args}) { n brier referenceBrier skill logLoss expectedCalibrationError
      bins { n meanConfidence hitRate } }`;
        const data = await dataOf(field.service, `{ stats { ${figures} } agents { nodes { id ${figures} } } }`);
        expect(data.stats.calibration.n).toBe(wanted.length);
        if (wanted.length > 0) expect(rounded(data.stats.calibration)).toEqual(rounded(calibrationByHand(wanted)));
        expect(data.agents.nodes).toHaveLength(field.agents.length);
        for (const { id, calibration } of data.agents.nodes) {
          const own = wanted.filter(({ agentId }) => agentId === id);
          expect(calibration.n).toBe(own.length);
          if (own.length > 0) expect(rounded(calibration)).toEqual(rounded(calibrationByHand(own)));
        }
      },
    );
  });
}
