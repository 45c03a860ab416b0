import { expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { predict, register } from '../support/agents.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { dataOf } from '../support/asking.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import { expectWhole, type Query } from './log-oracle.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));

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
  const query: Query = async <Row extends object>(text: string) =>
    (await sql.raw<Row>(text).execute(service.newEm().getKysely())).rows;
  const { records } = await expectWhole(query);
  expect(records.slice(-2).map(({ kind, round_id: roundId, entries }) => [kind, roundId, entries])).toEqual([
    ['closed', id, 1],
    ['decided', id, null],
  ]);
});
