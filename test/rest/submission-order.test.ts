import { beforeAll, expect, test } from '@jest/globals';

import { type Player, predict, register, type Submission } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();
let spectator: Player;
let predicted: Player;

const NOBODY = { key: `pk_live_${'0'.repeat(48)}` };
const BAD_SHAPE = { confidence: '85' };
const OTHER_ROUND = { round_id: 999 };
const BAD_VALUE = { prediction: 'MAYBE' };

beforeAll(async () => {
  spectator = await register(service, 'spectator', { mode: 'spectate' });
  predicted = await register(service, 'predicted');
  await predict(service, predicted);
});

test.each<readonly [string, () => Pick<Player, 'key'>, Submission & { idempotencyKey?: string }, number]>([
  ['a bad key comes before a bad shape', () => NOBODY, BAD_SHAPE, 401],
  ['a bad shape comes before a spectator', () => spectator, BAD_SHAPE, 400],
  ['a missing field comes before a spectator', () => spectator, { prediction: undefined }, 400],
  ['a confidence out of range comes before a spectator', () => spectator, { confidence: 101 }, 400],
  ['a bad Idempotency-Key comes before a spectator', () => spectator, { idempotencyKey: 'x'.repeat(129) }, 400],
  ['a spectator comes before another round', () => spectator, OTHER_ROUND, 403],
  ['a spectator comes before a bad value', () => spectator, BAD_VALUE, 403],
  ['another round comes before an earlier prediction', () => predicted, OTHER_ROUND, 400],
  ['a bad value comes before an earlier prediction', () => predicted, BAD_VALUE, 400],
  ['a bad shape comes before an earlier prediction', () => predicted, BAD_SHAPE, 400],
  ['an earlier prediction comes last', () => predicted, {}, 409],
])('%s', async (_, agent, submission, status) => {
  expectRefusal(await predict(service, agent(), submission), status);
});

test('refused submissions are not stored', async () => {
  const { body } = await service.request('GET', '/api/rounds/1/entries');
  expect(body.entries).toHaveLength(1);
});
