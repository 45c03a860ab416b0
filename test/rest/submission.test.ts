import { beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { INTEGER } from './formats.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, firstOf, hourAsking } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:20.500Z' }));
let fresh: Player;

beforeAll(async () => {
  fresh = await register(service, 'never-predicts');
});

describe('submission', () => {
  test('a submission returns 201 with the prediction', async () => {
    const player = await register(service, 'first');
    const round = await currentRound(service);
    const { status, body, headers } = await predict(service, player, { prediction: round.choices[1], confidence: 85 });
    expect(body).toEqual({
      success: true,
      prediction: {
        id: INTEGER,
        agent_id: player.id,
        round_id: round.id,
        prediction: round.choices[1],
        confidence: 85,
        submitted_at: '2026-01-01T12:10:20',
        submitted_at_iso: '2026-01-01T12:10:20.500Z',
      },
    });
    expect(status).toBe(201);
    expect(headers.has('idempotent-replayed')).toBe(false);
  });

  test('a second submission in a round gets 409, whatever its content', async () => {
    const player = await register(service, 'twice');
    const { choices } = await currentRound(service);
    await predict(service, player, { prediction: choices[0], confidence: 10 });
    expectRefusal(await predict(service, player, { prediction: choices[0], confidence: 10 }), 409, /already/);
    expectRefusal(await predict(service, player, { prediction: choices[1], confidence: 90 }), 409, /already/);
    const { body } = await service.request('GET', '/api/me', { key: player.key });
    expect(body.recent_predictions).toMatchObject([{ prediction: choices[0], confidence: 10 }]);
  });

  test('a submission’s agent comes only from the key', async () => {
    const [mine, other] = [await register(service, 'mine'), await register(service, 'not-mine')];
    const round = await currentRound(service);
    const { body } = await service.request('POST', '/api/predictions', {
      key: mine.key,
      body: {
        round_id: round.id,
        prediction: 'YES',
        confidence: 1,
        agent_id: other.id,
        id: 1,
        submitted_at: '2020-01-01T00:00:00',
      },
    });
    expect(body.prediction).toMatchObject({ agent_id: mine.id, submitted_at: '2026-01-01T12:10:20' });
  });

  test('a submission accepts the confidence 0', async () => {
    const { body } = await predict(service, await register(service, 'not-confident'), { confidence: 0 });
    expect(body.prediction.confidence).toBe(0);
  });

  test.each([
    ['round_id', 'round_id'],
    ['prediction', 'prediction'],
    ['confidence', 'confidence'],
  ])('a submission without %s gets 400 with that name', async (_, field) => {
    expectRefusal(await predict(service, fresh, { [field]: undefined }), 400, new RegExp(field));
    expectRefusal(await predict(service, fresh, { [field]: null }), 400, new RegExp(field));
  });

  test.each([['85'], [101], [true], [[85]], [{}]])(
    'a submission with the confidence %j gets 400',
    async (confidence) => {
      expectRefusal(await predict(service, fresh, { confidence }), 400, /confidence/);
    },
  );

  test.each([['1'], [1.5], [true], [[1]], [{}], [2 ** 31], [-(2 ** 31) - 1], [1e20]])(
    'a submission with the round_id %j gets 400',
    async (round_id) => {
      expectRefusal(await predict(service, fresh, { round_id }), 400, /round_id/);
    },
  );

  test.each([[1], [true], [['YES']], [{ toString: 'YES' }]])(
    'a submission with the prediction %j gets 400',
    async (prediction) => {
      expectRefusal(await predict(service, fresh, { prediction }), 400, /prediction/);
    },
  );

  test('a submission for another round gets 400 with the current round’s id', async () => {
    await service.nextHour();
    const { id } = await currentRound(service);
    for (const round_id of [id - 1, id + 1, 0, -1, 999_999])
      expectRefusal(await predict(service, fresh, { round_id }), 400, new RegExp(`\\b${id}\\b`));
  });

  test.each(['boolean', 'choice'])('a %s round accepts only its choices, case-sensitively', async (format) => {
    const round = await hourAsking(service, ({ prediction_format }) => prediction_format === format);
    const first = firstOf(round.choices);
    const wrong = ['', 'MAYBE', first.toLowerCase(), ` ${first}`, `${first}\n`, format === 'choice' ? 'YES' : 'BTC'];
    for (const prediction of [...wrong, 'constructor', 'x'.repeat(5000), '\u0000'])
      expectRefusal(await predict(service, fresh, { prediction }), 400, new RegExp(`prediction.*${first}`, 's'));
    for (const prediction of round.choices)
      expect((await predict(service, await register(service, `picks-${prediction}`), { prediction })).status).toBe(201);
  });
});
