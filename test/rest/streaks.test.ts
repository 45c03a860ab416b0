import { expect, test } from '@jest/globals';

import { profileOf, register } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

/** The bonus of the nth win in a row (spec 3.3): 3 +5, 5 +10, 10 +15, 20 +25. */
function bonusOf(streak: number): number {
  if (streak >= 20) return 25;
  if (streak >= 10) return 15;
  if (streak >= 5) return 10;
  return streak >= 3 ? 5 : 0;
}

test('a streak earns the highest step reached, beside the score, until a wrong prediction', async () => {
  const player = await register(service, 'winner');
  let points = 0;
  for (let streak = 1; streak <= 21; streak += 1) {
    const { id } = await playBets(service, [{ player, right: true, confidence: 85 }]);
    await service.nextHour();
    const { predictions } = (await service.request('GET', `/api/rounds/${id}/results`)).body;
    expect(predictions).toMatchObject([{ score: 110, is_correct: 1, streak_bonus: bonusOf(streak) }]);
    points += 110 + bonusOf(streak);
  }
  expect((await profileOf(service, player)).agent).toMatchObject({
    total_points: points,
    current_streak: 21,
    best_streak: 21,
  });

  const { id } = await playBets(service, [{ player, right: false, confidence: 85 }]);
  await service.nextHour();
  const { predictions } = (await service.request('GET', `/api/rounds/${id}/results`)).body;
  expect(predictions).toMatchObject([{ score: -40, is_correct: 0, streak_bonus: 0 }]);
  expect((await profileOf(service, player)).agent).toMatchObject({
    total_points: points - 40,
    current_streak: 0,
    best_streak: 21,
  });
});
