import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { predict, register } from '../support/agents.ts';
import { ask } from '../support/asking.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';

describe('round with LOCK_MINUTES of 5', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startService({ start: '2026-01-01T12:10:00Z', lockMs: 5 * 60_000 });
  });

  afterAll(() => endQuietly(service));

  test('the round accepts predictions until 5 minutes before its end', async () => {
    service.clock.set('2026-01-01T12:54:59.999Z');
    expect((await predict(service, await register(service, 'in-time'))).status).toBe(201);
  });

  test.each([
    ['12:55:00.000', 300],
    ['12:59:59.999', 1],
  ])('the round is locked at %s, and the refusal has retry_after %i', async (time, seconds) => {
    service.clock.set(`2026-01-01T${time}Z`);
    const player = await register(service, `locked-${time.slice(3, 5)}`);
    const answer = await predict(service, player);
    expectRefusal(answer, 400, /round is locked/i);
    expect(answer.body.retry_after).toBe(seconds);
    expect(answer.headers.get('retry-after')).toBe(String(seconds));
    const { id } = await currentRound(service);
    const query = `mutation { submitPrediction(roundId: ${id}, prediction: "BTC", confidence: 60) { id } }`;
    const { errors } = await ask(service, query, { key: player.key });
    expect(errors).toMatchObject([{ extensions: { reason: 'round_locked', retryAfter: seconds } }]);
  });

  test('the next hour accepts predictions again', async () => {
    service.clock.set('2026-01-01T13:00:00.000Z');
    expect((await predict(service, await register(service, 'open-again'))).status).toBe(201);
  });
});
