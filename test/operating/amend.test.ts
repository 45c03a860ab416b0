import { beforeAll, describe, expect, test } from '@jest/globals';

import { CHECKPOINT } from '../support/checkpoint.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { type Player, profileOf, register } from '../support/agents.ts';
import { dataOf } from '../support/asking.ts';
import { decide, playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { type CurrentRound, currentRound, firstOf, secondOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';
import { act, eventsAfter, lastSeq, look, newestAction, TOKEN, waitingRound } from './admin.ts';

const service = sharedService(() => ({ adminToken: TOKEN }));
let right: Player;
let wrong: Player;

beforeAll(async () => {
  right = await register(service, 'player-1');
  wrong = await register(service, 'player-2');
});

/** A round that `right` and `wrong` have answered, decided for the first choice. */
async function decidedRound(): Promise<CurrentRound> {
  const round = await playBets(service, [
    { player: right, right: true, confidence: 80 },
    { player: wrong, right: false, confidence: 70 },
  ]);
  await service.nextHour();
  return round;
}

const amend = (id: number, more: object, reason = 'The exchange has corrected itself') =>
  act(service, 'amend', id, reason, more);

async function pointsOf(player: Player): Promise<number> {
  return (await profileOf(service, player)).agent.total_points;
}

async function shown(id: number) {
  const published = await dataOf(
    service,
    `{ round(id: ${id}) { status outcome voidReason voidNote amendments { amendedAt reason fromEvidence outcome voidReason
      previousOutcome previousVoidReason previousVoidNote evidence { source } agreedCandles { symbol } }
      results { agentName place isCorrect score } } }`,
  );
  return published.round;
}

describe('amend', () => {
  test('an amendment adds a second outcome, and all sums of scores follow', async () => {
    const round = await decidedRound();
    const before = [await pointsOf(right), await pointsOf(wrong)];
    expect((await service.request('GET', `/api/rounds/${round.id}/results`)).body.round.outcome).toBe(round.choices[0]);
    const seq = await lastSeq(service);
    const outcome = secondOf(round.choices);
    const reason = 'The exchange has corrected itself';
    const answer = await amend(round.id, { outcome });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        round_id: round.id,
        outcome,
        void_reason: null,
        rounds: [round.id],
        previous: { outcome: firstOf(round.choices) },
      },
    });
    expect(answer.body.effect).toContain(
      `Round ${round.id} is now won by ${outcome}; before, it was won by ${firstOf(round.choices)}. Its scores change.`,
    );
    expect(answer.body.moves).toEqual([
      expect.objectContaining({ agent: 'player-1', place: 2, place_before: 1, points_before: before[0] }),
      expect.objectContaining({ agent: 'player-2', place: 1, place_before: 2, points_before: before[1] }),
    ]);
    expect(JSON.stringify(await newestAction(service))).not.toContain('player-');
    expect(await pointsOf(right)).toBeLessThan(before[0] ?? 0);
    expect(await pointsOf(wrong)).toBeGreaterThan(before[1] ?? 0);
    expect(await shown(round.id)).toEqual({
      status: 'resolved',
      outcome,
      voidReason: null,
      voidNote: null,
      amendments: [
        {
          amendedAt: expect.any(String),
          reason,
          fromEvidence: false,
          outcome,
          voidReason: null,
          previousOutcome: firstOf(round.choices),
          previousVoidReason: null,
          previousVoidNote: null,
          evidence: [],
          agreedCandles: [],
        },
      ],
      results: [
        { agentName: 'player-2', place: 1, isCorrect: 1, score: expect.any(Number) },
        { agentName: 'player-1', place: 2, isCorrect: 0, score: expect.any(Number) },
      ],
    });
    expect(await eventsAfter(service, seq)).toMatchObject([
      { kind: 'ADMIN_ACTION', payload: { action: 'amend', reason } },
      {
        kind: 'ROUND_AMENDED',
        round_id: round.id,
        payload: {
          outcome,
          voidReason: null,
          previousOutcome: firstOf(round.choices),
          previousVoidReason: null,
          reason,
          checkpoint: CHECKPOINT,
        },
      },
      { kind: 'LEADERBOARD_CHANGED' },
    ]);
    expect(await newestAction(service)).toMatchObject({
      action: 'amend',
      round_id: round.id,
      reason,
      result: { outcome },
    });
    for (const path of ['', '/results']) {
      const { body } = await service.request('GET', `/api/rounds/${round.id}${path}`);
      expect(body.round).toMatchObject({ outcome, amendments: [{ reason, previous_outcome: firstOf(round.choices) }] });
    }
  });

  test('an amendment from new evidence keeps that evidence beside the first', async () => {
    const round = await decidedRound();
    expectRefusal(await amend(round.id, { from_evidence: true }), 409, /is won by \w+ already/);
    decide(service, round, secondOf(round.choices));
    expect((await amend(round.id, { from_evidence: true })).body).toMatchObject({ outcome: secondOf(round.choices) });
    const { amendments, outcome } = await shown(round.id);
    expect(outcome).toBe(secondOf(round.choices));
    expect(amendments).toEqual([
      expect.objectContaining({ fromEvidence: true, evidence: expect.arrayContaining([{ source: 'scripted' }]) }),
    ]);
    expect(amendments[0].agreedCandles.length).toBeGreaterThan(0);
    const { body } = await service.request('GET', `/api/rounds/${round.id}/evidence`);
    const byRest = expect.arrayContaining([expect.objectContaining({ source: 'scripted', counted: true })]);
    expect(body.amendments).toMatchObject([{ outcome, agreed: amendments[0].agreedCandles, evidence: byRest }]);
  });

  test('an amendment makes a round void, decides a void one, and can be amended', async () => {
    const before = await pointsOf(right);
    const round = await decidedRound();
    const after = await pointsOf(right);
    expect((await amend(round.id, { outcome: 'void' }, 'Nobody can tell')).status).toBe(200);
    expect(await pointsOf(right)).toBe(before);
    expect(await shown(round.id)).toMatchObject({
      status: 'void',
      outcome: null,
      voidReason: 'admin',
      voidNote: 'Nobody can tell',
      results: [
        { place: null, score: null },
        { place: null, score: null },
      ],
    });
    expect((await amend(round.id, { outcome: firstOf(round.choices) })).status).toBe(200);
    expect(await pointsOf(right)).toBe(after);
    expect(await shown(round.id)).toMatchObject({
      status: 'resolved',
      amendments: [{ voidReason: 'admin' }, { previousVoidReason: 'admin', previousVoidNote: 'Nobody can tell' }],
    });
  });

  test('an amendment gives a void round its first scores', async () => {
    const round = await waitingRound(service, right);
    await act(service, 'void', round.id, 'The exchanges are gone');
    const before = await pointsOf(right);
    expect((await amend(round.id, { outcome: firstOf(round.choices) })).status).toBe(200);
    expect(await pointsOf(right)).toBeGreaterThan(before);
  });

  test('a dry run of an amendment changes nothing and lists the agents affected', async () => {
    const round = await decidedRound();
    await afterResolution(service, service.clock.now());
    const contents = async () => {
      const tables = [
        'rounds',
        'scores',
        'score_corrections',
        'corrected_scores',
        'amendments',
        'standings',
        'events',
        'platform',
      ];
      const rows = tables.map((table) =>
        service.newEm().getConnection().execute(`select t.* from ${table} t order by 1, 2`),
      );
      return JSON.stringify(await Promise.all(rows));
    };
    const before = await contents();
    const { status, body } = await amend(round.id, { outcome: secondOf(round.choices), dry_run: true });
    expect({ status, dry: body.dry_run }).toEqual({ status: 200, dry: true });
    expect(body.effect).toMatch(/Largest moves over all time: player-\d from place \d to \d \([+-]\d+ points\)/);
    expect(await contents()).toBe(before);
    expect((await newestAction(service)).round_id).not.toBe(round.id);
  });

  test('an invalid amendment is refused, and the audit has the refusal', async () => {
    const round = await decidedRound();
    expectRefusal(
      await amend(round.id, {}),
      400,
      /^outcome must be given exactly when from_evidence is not true \(got /,
    );
    expectRefusal(await amend(round.id, { outcome: 'PERHAPS' }), 400, /^outcome must be one of \w+/);
    expectRefusal(await amend(round.id, { outcome: firstOf(round.choices) }), 409, /is won by \w+ already/);
    expectRefusal(await amend(round.id, { from_evidence: 'perhaps' }), 400, /^from_evidence must be true or false/);
    const { id } = await currentRound(service);
    expectRefusal(await amend(id, { outcome: 'void' }), 409, /is active: it has no decision to amend/);
    await act(service, 'void', id);
    expectRefusal(await amend(id, { outcome: 'void' }), 409, /its hour is not over/);
    expect(await newestAction(service)).toMatchObject({
      action: 'amend',
      round_id: id,
      result: { refused: expect.any(String) },
    });
  });

  test('a frozen board names the rounds amended since it was frozen', async () => {
    await service.nextHour();
    const [before, after] = [await decidedRound(), await decidedRound()];
    const day = before.start_time.slice(0, 10);
    expect(after.start_time).toContain(day);
    await amend(before.id, { outcome: 'void' });
    service.clock.set(new Date(service.clock.now().getTime() + 24 * 3_600_000));
    await service.turn();
    await amend(after.id, { outcome: 'void' });
    const { body } = await service.request('GET', `/api/leaderboard/archive/${day}`);
    expect(body.amended_rounds).toEqual([after.id]);
  });

  test('a round can be amended at most 8 times, and within 7 days of its first decision', async () => {
    const round = await decidedRound();
    const decided = service.clock.now().getTime();
    service.clock.set(new Date(decided + 7 * 24 * 3_600_000));
    await service.turn();
    const outcomes = ['void', firstOf(round.choices)];
    for (let times = 0; times < 8; times += 1)
      expect((await amend(round.id, { outcome: outcomes[times % 2] })).status).toBe(200);
    expectRefusal(await amend(round.id, { outcome: 'void' }), 409, /has already been amended 8 times/);
    service.clock.set(new Date(decided + 7 * 24 * 3_600_000 + 1));
    expectRefusal(await amend(round.id, { outcome: 'void' }), 409, /^A round can be amended within 7 days of its/);
    expect(await newestAction(service)).toMatchObject({ action: 'amend', round_id: round.id });
    expect((await look(service, '/admin/rounds')).status).toBe(200);
  });
});
