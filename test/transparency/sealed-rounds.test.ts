import { expect, test } from '@jest/globals';

import { predict, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

const ROUND = `{ rounds(first: 2, status: [active, resolved]) { nodes { status endTime sealedAt decidedAt } } }`;

test('a round is sealed at its end and before it is decided', async () => {
  await predict(service, await register(service, 'sealer'));
  await service.nextHour();
  const { rounds } = await dataOf(service, ROUND);
  const [running, decided] = rounds.nodes;
  expect(running).toMatchObject({ status: 'active', sealedAt: null });
  expect(decided.status).toBe('resolved');
  expect(Date.parse(decided.sealedAt)).toBeGreaterThanOrEqual(Date.parse(decided.endTime));
  expect(Date.parse(decided.sealedAt)).toBeLessThanOrEqual(Date.parse(decided.decidedAt));
});
