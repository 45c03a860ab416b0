import { expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { predict, register } from '../support/agents.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import { expectWhole, type Query } from './log-oracle.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));

const query: Query = async <Row extends object>(text: string) =>
  (await sql.raw<Row>(text).execute(service.newEm().getKysely())).rows;

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

test('a round that an operator ends before its hour is sealed then, with its predictions', async () => {
  await predict(service, await register(service, 'sealed-early'));
  const { id } = await currentRound(service);
  expect((await act(service, 'void', id, 'The question was wrong.')).status).toBe(200);
  const { records } = await expectWhole(query);
  expect(records.slice(-2).map(({ kind, round_id: roundId, entries }) => [kind, roundId, entries])).toEqual([
    ['closed', id, 1],
    ['decided', id, null],
  ]);
});

test('a prediction keeps its leaf when an operator removes its agent and with it the words', async () => {
  // The round before is void, so a new one runs only after its hour.
  await service.nextHour();
  const player = await register(service, 'talkative');
  const { round_id: roundId, id } = (await predict(service, player, { rationale: 'because of the trend' })).body
    .prediction;
  await service.nextHour();
  expect((await act(service, 'remove', player.id, 'Asked for')).status).toBe(200);
  expect(await query('select * from rationales')).toEqual([]);
  const { leaves } = await expectWhole(query);
  const own = leaves.filter((leaf) => leaf.startsWith('hourcast prediction 1\n') && leaf.includes(` ${player.id} `));
  expect(own).toEqual([expect.stringMatching(/ [\da-f]{64}\n$/)]);
  const { body } = await service.request('GET', `/api/rounds/${roundId}/predictions/${id}/proof`);
  expect([body.leaf]).toEqual(own);
});
