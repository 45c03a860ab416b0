import { expect, test } from '@jest/globals';

import { ASSETS } from '../../src/rules/assets.ts';
import { FIGURE } from './formats.ts';
import { decide } from '../support/outcomes.ts';
import { currentRound, firstOf, hourAsking, secondOf, startOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

async function resolvedRound({ id }: { readonly id: number }) {
  return (await service.request('GET', `/api/rounds/${id}/results`)).body.round;
}

test('returns have four decimals, rounded half away from zero; unrounded ones decide the winner', async () => {
  const round = await hourAsking(service, ({ question_type }) => question_type === 'relative');
  const [lost, won] = [firstOf(round.choices), secondOf(round.choices)];
  const script = (symbol: string, close: string) => {
    const asset = ASSETS.find((one) => one === symbol);
    if (asset) service.market.script(asset, startOf(round), ['100000', '100001', '99999', close]);
  };
  script(lost, '99999.95');
  script(won, '99999.9500000001');
  await service.nextHour();
  expect(await resolvedRound(round)).toMatchObject({
    outcome: won,
    resolution_value: 0,
    [`${lost.toLowerCase()}_return_pct`]: -0.0001,
    [`${won.toLowerCase()}_return_pct`]: 0,
  });
});

test('the resolution value of each type is that of its winner', async () => {
  for (let hours = 0; hours < 26; hours += 1) {
    const round = await currentRound(service);
    const place = hours % round.choices.length;
    const answer = round.choices[place] ?? '';
    decide(service, round, answer);
    await service.passHour();
    const resolved = await resolvedRound(round);
    const value = round.choices.length > 2 ? place : 1 - place;
    expect([resolved.question_type, resolved.outcome, resolved.resolution_value]).toEqual([
      round.question_type,
      answer,
      value,
    ]);
    for (const symbol of Object.keys(round.assets).map((one) => one.toLowerCase()))
      expect(resolved).toMatchObject({
        [`start_${symbol}_price`]: FIGURE,
        [`end_${symbol}_price`]: FIGURE,
        [`${symbol}_return_pct`]: FIGURE,
      });
    const priced = Object.keys(resolved).filter((name) => /_(price|return_pct)$/.test(name));
    expect(priced).toHaveLength(3 * Object.keys(round.assets).length);
  }
});
