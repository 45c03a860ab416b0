import { expect, test } from '@jest/globals';

import { register } from '../support/agents.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00.000Z', keeping: { bytes: 0 } }));
const NOBODY = 1_000_000;

test('profiles that are read together each have their own agent, and none without a name', async () => {
  const players = [await register(service, 'first'), await register(service, 'second')];
  const expired = await register(service, 'expired', { mode: 'spectate' });
  service.clock.set('2026-01-31T12:10:00.000Z');
  const [{ id: first } = expired, { id: second } = expired] = players;
  const ids = [second, NOBODY, first, expired.id, second];
  const answers = await Promise.all(ids.map((id) => service.request('GET', `/api/agents/${id}`)));
  expect(answers.map(({ status, body }) => (status === 200 ? body.agent.id : status))).toEqual([
    second,
    404,
    first,
    404,
    second,
  ]);
});
