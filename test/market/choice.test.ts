import { describe, expect, test } from '@jest/globals';
import { chooseMarket, needsAnswers } from '../../src/market/choice.ts';

const ROWS = [
  { setting: undefined, stored: null, answer: true, switching: false, is: 'live' },
  { setting: undefined, stored: null, answer: false, switching: false, is: 'simulated' },
  { setting: undefined, stored: 'live', answer: false, switching: false, is: 'live' },
  { setting: undefined, stored: 'simulated', answer: true, switching: false, is: 'simulated' },
  { setting: undefined, stored: 'simulated', answer: true, switching: true, is: 'simulated' },
  { setting: undefined, stored: 'replay:/candles', answer: true, switching: false, is: 'replay:/candles' },
  { setting: 'live', stored: null, answer: false, switching: false, is: 'live' },
  { setting: 'simulated', stored: null, answer: true, switching: false, is: 'simulated' },
  { setting: 'live', stored: 'live', answer: false, switching: false, is: 'live' },
  { setting: 'replay:/a', stored: 'simulated', answer: false, switching: false, is: 'replay:/a' },
  { setting: 'simulated', stored: 'replay:/a', answer: false, switching: false, is: 'simulated' },
  { setting: 'live', stored: 'simulated', answer: true, switching: false, is: 'refused' },
  { setting: 'live', stored: 'replay:/a', answer: true, switching: false, is: 'refused' },
  { setting: 'simulated', stored: 'live', answer: true, switching: false, is: 'refused' },
  { setting: 'live', stored: 'simulated', answer: true, switching: true, is: 'live' },
  { setting: 'simulated', stored: 'live', answer: true, switching: true, is: 'simulated' },
] as const;

describe('choice of the market', () => {
  test.each(ROWS)(
    'MARKET $setting, stored $stored, sources answering $answer, switch $switching give $is',
    ({ setting, stored, answer, switching, is }) => {
      const choice = chooseMarket({ setting, stored, switching, clockFits: true, sourcesAnswer: answer });
      expect(choice.kind === 'refused' ? 'refused' : choice.market).toBe(is);
    },
  );

  test.each(ROWS.filter(({ is }) => is !== 'refused'))(
    'a wrong clock excludes live prices: MARKET $setting, stored $stored ($is otherwise)',
    ({ setting, stored, switching, is }) => {
      const choice = chooseMarket({ setting, stored, switching, clockFits: false, sourcesAnswer: false });
      const first = setting === undefined && stored === null;
      const expected = is === 'live' && !first ? 'refused' : first ? 'simulated' : is;
      expect(choice.kind === 'refused' ? 'refused' : choice.market).toBe(expected);
    },
  );

  test('the choice depends on the sources only at a first start without a setting', () => {
    for (const clockFits of [true, false])
      for (const { setting, stored, switching } of ROWS) {
        const [answering, silent] = [true, false].map((sourcesAnswer) =>
          chooseMarket({ setting, stored, switching, clockFits, sourcesAnswer }),
        );
        expect(needsAnswers({ setting, stored, clockFits })).toBe(JSON.stringify(answering) !== JSON.stringify(silent));
      }
  });

  test('the choice gives advice on real prices unless others were configured', () => {
    const facts = { switching: false, clockFits: true, sourcesAnswer: false };
    const settings = [
      { setting: undefined, stored: null },
      { setting: undefined, stored: 'simulated' },
      { setting: undefined, stored: 'live' },
      { setting: 'simulated', stored: null },
    ];
    const advised = settings.map((more) =>
      /For real prices .*MARKET=live/.test(JSON.stringify(chooseMarket({ ...facts, ...more }))),
    );
    expect(advised).toEqual([true, true, false, false]);
  });

  test('the refusal of a market names the setting to change', () => {
    const facts = { setting: 'live', stored: 'simulated', switching: false, clockFits: true, sourcesAnswer: true };
    expect(chooseMarket(facts)).toMatchObject({ message: expect.stringMatching(/simulated.+MARKET_SWITCH=yes/) });
  });
});
