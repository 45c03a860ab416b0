import { beforeAll, describe, expect, test } from '@jest/globals';

import { CHECKPOINT } from '../support/checkpoint.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { decide, playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, firstOf, startOf } from '../support/rounds.ts';
import { act, eventsAfter, lastSeq, newestAction, statusOf, TOKEN, waitingRound } from './admin.ts';
import { dataOf } from '../support/asking.ts';
import { sharedService } from '../support/shared.ts';

const ACTOR = expect.stringMatching(/^token [0-9a-f]{6} at 127\.0\.0\.1$/);

const service = sharedService(() => ({ adminToken: TOKEN, logLevel: 'info' }));
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
});

/** What the log says of a round, without what the test does not look at. */
function toldOf(roundId: number) {
  return service.logged
    .map((line) => JSON.parse(line))
    .filter((line) => line.roundId === roundId)
    .map(({ msg: message, hour, voidReason, why, entries, action, reason }) => ({
      message,
      hour,
      voidReason,
      why,
      entries,
      action,
      reason,
    }));
}

describe('void', () => {
  test('void ends the active round at once, without scores, with a public reason', async () => {
    const round = await currentRound(service);
    await predict(service, player);
    const seq = await lastSeq(service);
    const answer = await act(service, 'void', round.id, ' The question was wrong. ');
    expect(answer).toMatchObject({ status: 200, body: { round_id: round.id, status: 'void', void_reason: 'admin' } });
    expect((await service.request('GET', '/api/rounds/current')).body).toEqual({
      round: null,
      time_remaining_seconds: 0,
    });
    const late = await register(service, 'late');
    const body = { round_id: round.id, prediction: firstOf(round.choices), confidence: 50 };
    expectRefusal(await service.request('POST', '/api/predictions', { key: late.key, body }), 400, /No round is open/);
    expect((await service.request('GET', `/api/rounds/${round.id}/results`)).body).toMatchObject({
      round: { status: 'void', resolution_value: null, void_reason: 'admin', void_note: 'The question was wrong.' },
    });
    // It is counted among what was ever answered, and the crowd is told.
    expect((await service.request('GET', '/api/stats')).body).toMatchObject({
      total_predictions: 1,
      active_entries: 0,
    });
    const published = await dataOf(service, `{ round(id: ${round.id}) { voidNote crowd { n meanConfidence } } }`);
    const { crowd, voidNote } = published.round;
    expect(crowd).toEqual({ n: 1, meanConfidence: 60 });
    expect(voidNote).toBe('The question was wrong.');
    expect((await profileOf(service, player)).agent).toMatchObject({ total_points: 0, total_competitions: 0 });
    expect(await eventsAfter(service, seq)).toEqual([
      {
        seq: seq + 1,
        kind: 'ADMIN_ACTION',
        round_id: round.id,
        payload: { action: 'void', roundId: round.id, reason: 'The question was wrong.' },
      },
      { seq: seq + 2, kind: 'ROUND_VOID', round_id: round.id, payload: { reason: 'admin', checkpoint: CHECKPOINT } },
    ]);
    expect(await newestAction(service)).toMatchObject({
      actor: ACTOR,
      action: 'void',
      round_id: round.id,
      reason: 'The question was wrong.',
      result: { status: 'void', void_reason: 'admin' },
    });
    expect((await service.request('GET', '/readyz')).status).toBe(200);
    const hour = startOf(round).toISOString();
    expect(toldOf(round.id)).toEqual([
      { message: 'Round opened', hour },
      { message: 'Round void', hour, voidReason: 'admin', why: 'The question was wrong.', entries: 1 },
      { message: 'An operator acted', action: 'void', reason: 'The question was wrong.' },
    ]);
  });

  test('a voided upcoming round is never played, and the next one is stored instead', async () => {
    const next = (await service.request('POST', '/api/me/activate', { key: player.key })).body.next_round.id;
    expect((await act(service, 'void', next, 'A holiday')).status).toBe(200);
    await service.turn();
    const after = (await service.request('POST', '/api/me/activate', { key: player.key })).body.next_round.id;
    expect(after).not.toBe(next);
    await service.nextHour();
    expect(await statusOf(service, next)).toBe('void');
    expect((await service.request('GET', '/api/rounds/current')).body.round).toBeNull();
    await service.nextHour();
    expect((await currentRound(service)).id).toBe(after);
  });

  test('void ends a waiting round, also if the market recovers', async () => {
    const round = await waitingRound(service, player);
    expect((await act(service, 'void', round.id, 'The exchanges are gone')).status).toBe(200);
    decide(service, round, firstOf(round.choices));
    await service.turn();
    expect(await statusOf(service, round.id)).toBe('void');
  });

  test('void refuses a decided round, which only the audit records', async () => {
    const round = await playBets(service, [{ player, right: true, confidence: 80 }]);
    await service.nextHour();
    const before = await profileOf(service, player);
    const seq = await lastSeq(service);
    expectRefusal(await act(service, 'void', round.id, 'I lost'), 409, /is resolved already/);
    expect(await profileOf(service, player)).toEqual(before);
    expect(await eventsAfter(service, seq)).toEqual([]);
    expect(await newestAction(service)).toMatchObject({
      action: 'void',
      round_id: round.id,
      reason: 'I lost',
      result: { refused: `Round ${round.id} is resolved already.` },
    });
  });

  test('void refuses an unreadable reason and an invalid id', async () => {
    const { id } = await currentRound(service);
    for (const reason of [
      '',
      '   ',
      'x'.repeat(501),
      '🎲'.repeat(501),
      'line\nbreak',
      '\u0000',
      '\ud800',
      5,
      null,
      ['x'],
    ]) {
      const answer = await service.request('POST', `/admin/rounds/${id}/void`, { key: TOKEN, body: { reason } });
      expectRefusal(answer, 400, /^reason must be a sentence/);
    }
    for (const action of ['void', 'retry', 'resolve'] as const)
      expectRefusal(await act(service, action, id, null), 400, /^reason must be/);
    const misspelt = { key: TOKEN, body: { Reason: 'Misspelt' } };
    for (const action of ['void', 'retry'])
      expectRefusal(await service.request('POST', `/admin/rounds/${id}/${action}`, misspelt), 400, /mean "reason"/);
    for (const odd of ['0', '-1', '1.5', 'x', '2147483648']) {
      expectRefusal(
        await service.request('POST', `/admin/rounds/${odd}/void`, { key: TOKEN }),
        400,
        /^round_id must be an id of rounds/,
      );
    }
    expectRefusal(await act(service, 'void', 4711, 'No such round'), 404, /no round 4711/);
    expect(await statusOf(service, id)).toBe('active');
  });

  test('void accepts a reason of 500 characters of any width', async () => {
    const { id } = await currentRound(service);
    const reason = '🎲'.repeat(500);
    expect((await act(service, 'void', id, reason)).status).toBe(200);
    expect(await newestAction(service)).toMatchObject({ round_id: id, reason });
    await service.nextHour();
  });
});

describe('retry', () => {
  test('retry decides a waiting round at once, in one transaction with its record', async () => {
    const round = await waitingRound(service, player);
    const seq = await lastSeq(service);
    decide(service, round, firstOf(round.choices));
    const outcome = firstOf(round.choices);
    const answer = await act(service, 'retry', round.id);
    expect(answer).toMatchObject({ status: 200, body: { round_id: round.id, status: 'resolved', outcome } });
    const events = await eventsAfter(service, seq);
    expect(events.slice(0, 2)).toMatchObject([
      { kind: 'ADMIN_ACTION', payload: { action: 'retry', roundId: round.id, reason: 'For the test' } },
      { kind: 'ROUND_RESOLVED', payload: { outcome } },
    ]);
    expect(await newestAction(service)).toMatchObject({
      actor: ACTOR,
      action: 'retry',
      result: { status: 'resolved', outcome },
    });
  });

  test('retry decides older rounds first, and is recorded for its own alone', async () => {
    const rounds = [await waitingRound(service, player), await waitingRound(service, player)];
    const [older, round] = rounds.map(({ id }) => id);
    for (const one of rounds) decide(service, one, firstOf(one.choices));
    const seq = await lastSeq(service);
    await act(service, 'retry', round ?? 0);
    const events = await eventsAfter(service, seq);
    const published = events.filter(({ kind }) => kind === 'ADMIN_ACTION' || kind === 'ROUND_RESOLVED');
    expect(published.map(({ kind, round_id: id }) => [kind, id])).toEqual([
      ['ROUND_RESOLVED', older],
      ['ADMIN_ACTION', round],
      ['ROUND_RESOLVED', round],
    ]);
  });

  test('retry leaves a round waiting while the market has no prices', async () => {
    const round = await waitingRound(service, player);
    const answer = await act(service, 'retry', round.id, 'Looks better now');
    expect(answer).toMatchObject({ status: 200, body: { status: 'resolving', problem: expect.stringMatching(/\S/) } });
    expect(await statusOf(service, round.id)).toBe('resolving');
    expect(await newestAction(service)).toMatchObject({ action: 'retry', result: { status: 'resolving' } });
    decide(service, round, firstOf(round.choices));
    await service.turn();
    expect(await statusOf(service, round.id)).toBe('resolved');
  });

  test('retry refuses a round that does not wait', async () => {
    expectRefusal(await act(service, 'retry', (await currentRound(service)).id), 409, /is active, not resolving/);
  });
});

describe('resolve', () => {
  test('resolve decides a decided round again without writing, and compares the outcomes', async () => {
    const round = await playBets(service, [{ player, right: true, confidence: 70 }]);
    await service.nextHour();
    const [right, wrong] = round.choices;
    const before = await profileOf(service, player);
    expect((await act(service, 'resolve', round.id)).body).toEqual({
      round_id: round.id,
      effect: `Round ${round.id} keeps its decision; the market now gives the same one.`,
      unchanged: true,
      status: 'resolved',
      outcome: right,
      void_reason: null,
      again: { status: 'resolved', outcome: right, void_reason: null },
    });
    decide(service, round, wrong ?? '');
    expect((await act(service, 'resolve', round.id)).body).toMatchObject({
      unchanged: false,
      outcome: right,
      again: { outcome: wrong },
    });
    for (const asset of ASSETS) service.market.script(asset, startOf(round), null);
    expect((await act(service, 'resolve', round.id)).body).toMatchObject({
      unchanged: null,
      outcome: right,
      again: { problem: 'no_prices' },
    });
    expect(await profileOf(service, player)).toEqual(before);
    expect((await service.request('GET', `/api/rounds/${round.id}/results`)).body.round.outcome).toBe(right);
  });

  test('resolve retries a waiting round, and refuses one whose hour is not over', async () => {
    const round = await waitingRound(service, player);
    decide(service, round, firstOf(round.choices));
    expect((await act(service, 'resolve', round.id)).body).toMatchObject({ status: 'resolved' });
    expect(await newestAction(service)).toMatchObject({ action: 'retry' });
    expectRefusal(await act(service, 'resolve', (await currentRound(service)).id), 409, /hour is not over/);
  });
});
