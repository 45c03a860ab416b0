import { expect, test } from '@jest/globals';

import { until, untilItBlocks } from '../support/poll.ts';
import type { Answer } from '../support/service.ts';
import { type Player, predict, register, registerMany } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { INTEGER } from './formats.ts';
import { expectRefusal, statusesOf } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

/** Asks again while the answer is 503, as callers of a busy service should. */
async function untilAnswered(send: () => Promise<Answer>): Promise<Answer> {
  return until('an answer other than 503', async () => {
    const answer = await send();
    return answer.status !== 503 && answer;
  });
}

async function totalEntries(): Promise<number> {
  return (await service.request('GET', '/api/rounds/current')).body.round.total_entries;
}

test('exactly one of 100 equal concurrent submissions of an agent is accepted', async () => {
  const player = await register(service, 'eager');
  const { id, choices } = await currentRound(service);
  const body = { round_id: id, prediction: choices[0], confidence: 60 };
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      untilAnswered(() => service.request('POST', '/api/predictions', { key: player.key, body })),
    ),
  );
  expect(statusesOf(answers)).toEqual({ 201: 1, 409: 99 });
  for (const answer of answers) if (answer.status !== 201) expectRefusal(answer, 409, /already/);
  expect(await totalEntries()).toBe(1);
});

test('100 concurrent agents are all accepted and counted', async () => {
  await service.nextHour();
  const players = await registerMany(service, 'crowd', 100);
  const answers = await Promise.all(
    players.map((player, n) => untilAnswered(() => predict(service, player, { confidence: n }))),
  );
  expect(statusesOf(answers)).toEqual({ 201: 100 });
  expect(new Set(answers.map(({ body }) => body.prediction.id)).size).toBe(100);
  for (const [n, { body }] of answers.entries())
    expect(body.prediction).toMatchObject({ agent_id: players[n]?.id, confidence: n });
  expect(await totalEntries()).toBe(100);
  const { id } = await currentRound(service);
  expect((await service.request('GET', `/api/rounds/${id}/entries`)).body.entries).toHaveLength(100);
  expect((await service.request('GET', '/api/stats')).body.active_entries).toBe(100);
});

/** Turns the hour while the submission of `first` waits for its round, and those of `others` wait behind it. */
async function turnBehind(first: Player, others: readonly Player[]) {
  await service.nextHour();
  const { id, choices, end_time } = await currentRound(service);
  const end = new Date(`${end_time.replace(' ', 'T')}Z`);
  const body = { round_id: id, prediction: choices[0], confidence: 60 };
  const submit = ({ key }: Player) => service.request('POST', '/api/predictions', { key, body });
  const sent: Promise<Answer>[] = [];
  let turning: Promise<void> | undefined;
  await service.newEm().transactional(async (transaction) => {
    await transaction.execute('select id from rounds where id = ? for update', [id]);
    service.clock.set(new Date(end.getTime() - 1));
    sent.push(submit(first));
    await untilItBlocks(transaction, 'with offered as');
    sent.push(...others.map((one) => untilAnswered(() => submit(one))));
    for (let n = 0; n < 10; n += 1) await service.request('GET', '/api/leaderboard');
    service.clock.set(end);
    turning = service.turn();
    // PostgreSQL lets an update that comes after the commit pass a statement that is still waking up.
    await untilItBlocks(transaction, 'update "rounds" set "status"');
  });
  const [inProgress, ...later] = await Promise.all(sent);
  await turning;
  return { id, inProgress, later };
}

test('a submission in progress at the turn of the hour is scored, later ones are refused', async () => {
  const [first, ...others] = await registerMany(service, 'turning', 20);
  if (first === undefined) throw new Error('Twenty players were asked for');
  const { id, inProgress, later } = await until('a turn before the wait of submissions is over', async () => {
    const turned = await turnBehind(first, others);
    return turned.inProgress?.status !== 503 && turned;
  });
  expect(inProgress?.status).toBe(201);
  for (const answer of later) expectRefusal(answer, 400);
  await service.turn();
  const { predictions } = (await service.request('GET', `/api/rounds/${id}/results`)).body;
  expect(predictions).toMatchObject([{ id: inProgress?.body.prediction.id, agent_name: first.name, score: INTEGER }]);
});

test('a submission that meets the closing of its round waits, and is refused', async () => {
  await service.nextHour();
  const player = await register(service, 'meets-the-closing');
  const { id, end_time } = await currentRound(service);
  const end = new Date(`${end_time.replace(' ', 'T')}Z`);
  const waiting = await service.newEm().transactional(async (transaction) => {
    await transaction.execute('select id from rounds where id = ? for update', [id]);
    service.clock.set(end);
    const turning = service.turn();
    await untilItBlocks(transaction, 'update "rounds" set "status"');
    service.clock.set(new Date(end.getTime() - 1));
    const submitting = untilAnswered(() => predict(service, player));
    await untilItBlocks(transaction, 'with offered as');
    return { turning, submitting };
  });
  expectRefusal(await waiting.submitting, 400);
  await waiting.turning;
  expect((await service.request('GET', `/api/rounds/${id}/entries`)).body.entries).toEqual([]);
});

test('a registration waits for one in progress, so that pages of agents miss none', async () => {
  const newest = async (): Promise<readonly string[]> => {
    const { agents } = await dataOf(service, '{ agents(first: 2, orderBy: NEWEST) { nodes { name } } }');
    return agents.nodes.map(({ name }: Player) => name);
  };
  const transaction = service.newEm();
  await transaction.begin();
  // The first registration has its id, and waits for the outcome of another insert of its name.
  await transaction.execute(`insert into agents (name, name_key, mode, key_hash, registered_at)
    values ('in-progress', 'in-progress', 'compete', repeat('0', 64), now())`);
  const first = register(service, 'in-progress');
  await untilItBlocks(transaction, 'insert into "agents"');
  const second = register(service, 'later');
  await Promise.race([second, untilItBlocks(transaction, 'select pg_advisory_xact_lock')]);
  expect(await newest()).not.toContain('later');
  await transaction.rollback();
  await Promise.all([first, second]);
  expect(await newest()).toEqual(['later', 'in-progress']);
});
