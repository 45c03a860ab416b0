import { expect, test } from '@jest/globals';

import { verify } from '../../scripts/verify/verification.ts';
import { Round } from '../../src/entities/round.ts';
import { CHECKPOINTS } from '../../src/rules/forecast/forecast.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { act, TOKEN } from '../operating/admin.ts';
import type { PlayedField } from '../support/played-field.ts';
import { sharedField } from '../support/shared.ts';

const HOURS = 30;
const AMENDMENTS = 20;

/** Rounds with forecasts, of which some are amended while others are played: by operators, and back again by candles. */
const field = sharedField(
  {
    agents: 6,
    seed: 5,
    minutes: [1, 6, 20, 40],
    keeping: { bytes: 0 },
    adminToken: TOKEN,
    start: '2026-01-01T11:59:00Z',
  },
  async (played) => {
    for (let hour = 0; hour < HOURS; hour += 1) {
      await playHour(played);
      if (hour >= HOURS - AMENDMENTS) await amendSome(played);
    }
    await played.service.nextHour();
  },
);

async function playHour(played: PlayedField): Promise<void> {
  const { service } = played;
  const start = addHours(hourOf(service.clock.now()), 1);
  const turnAt = async (minute: number): Promise<void> => {
    service.clock.set(new Date(start.getTime() + minute * MINUTE));
    await service.turn();
  };
  await turnAt(0);
  await played.predict(0.8);
  for (const minute of CHECKPOINTS) await turnAt(minute + 0.5);
}

async function amendSome({ service, random }: PlayedField): Promise<void> {
  const decided = await service
    .newEm()
    .find(Round, { status: { $in: ['resolved', 'void'] } }, { orderBy: { id: 'asc' } });
  const round = random.pick(decided);
  const others = [...round.choices, 'void'].filter((choice) => choice !== (round.outcome ?? 'void'));
  const isBack = round.voidReason === 'admin' && random.chance(0.5);
  const more = isBack ? { from_evidence: true } : { outcome: random.pick(others) };
  const { status, body } = await act(service, 'amend', round.id, 'It was wrong', more);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

test('a service whose rounds were amended verifies without a difference, its forecasts and their records too', async () => {
  const { differences, compared, notes } = await verify(
    { url: field.service.url, rounds: null, candles: null },
    { say: () => {}, wait: async () => {} },
  );
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(5000);
  const told = notes.filter((note) => note.endsWith('by an operator: no rule decides that.'));
  expect(told.length).toBeGreaterThan(AMENDMENTS / 2);
  const [{ kinds } = { kinds: 0 }] = await field.service
    .newEm()
    .execute<{ kinds: number }[]>(
      'select count(distinct (from_evidence, outcome is null))::int as kinds from amendments',
    );
  expect(kinds).toBeGreaterThan(2);
});
