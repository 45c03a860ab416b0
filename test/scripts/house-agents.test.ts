import { describe, expect, test } from '@jest/globals';

import { HOUSE_AGENTS } from '../../scripts/demo/house-agents.ts';

const change1hPct = { BTC: 0.4, ETH: -0.2, SOL: 0.1 };

describe.each(HOUSE_AGENTS)('the house agent $name', ({ answer }) => {
  test.each([[['YES', 'NO']], [['BTC', 'ETH']], [['ETH', 'BTC', 'SOL']]])(
    'gives one of %j, with a whole confidence in percent',
    (choices) => {
      for (let roundId = 1; roundId <= 20; roundId += 1) {
        const { prediction, confidence } = answer({ roundId, choices, change1hPct });
        expect(choices).toContain(prediction);
        expect(Number.isInteger(confidence) && confidence >= 0 && confidence <= 100).toBe(true);
      }
    },
  );
});

test('the follower takes what rose most, and the contrarian what fell most', () => {
  const answers = HOUSE_AGENTS.map(({ name, answer }) => [
    name,
    answer({ roundId: 1, choices: ['BTC', 'ETH', 'SOL'], change1hPct }).prediction,
    answer({ roundId: 1, choices: ['YES', 'NO'], change1hPct }).prediction,
  ]);
  expect(answers).toContainEqual(['follower', 'BTC', 'YES']);
  expect(answers).toContainEqual(['contrarian', 'ETH', 'NO']);
});
