import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { checkLog } from '../../src/verify/log/log-check.ts';

import { verify } from '../../src/verify/verification.ts';
import { Round } from '../../src/entities/round.ts';
import { CHECKPOINTS } from '../../src/rules/forecast/forecast.ts';
import { addHours, hourOf, MINUTE } from '../../src/rules/hours.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { type Player, register } from '../support/agents.ts';
import { scopedFolder } from '../support/own-folder.ts';
import type { PlayedField } from '../support/played-field.ts';
import { sharedField } from '../support/shared.ts';
import { withPlanted } from './planting.ts';

const HOURS = 30;
const AMENDMENTS = 20;

/** A round that was void while it was upcoming, and was amended since. */
let neverOpened: number;
let watcher: Player;

/** Rounds with forecasts, of which some are amended while others are played: by operators, and back again by candles. */
const field = sharedField(
  {
    agents: 6,
    seed: 5,
    minutes: [1, 6, 20, 40],
    keeping: { bytes: 0 },
    adminToken: TOKEN,
    start: '2026-01-01T11:59:00Z',
  },
  async (played) => {
    watcher = await register(played.service, 'watcher', { mode: 'spectate' });
    for (let hour = 0; hour < HOURS; hour += 1) {
      await playHour(played);
      if (hour >= HOURS - AMENDMENTS) await amendSome(played);
    }
    await voidEarly(played);
    await played.service.nextHour();
  },
);

const needs = { print: () => {}, wait: async () => {} };
const verified = () => verify({ url: field.service.url, rounds: null, candles: null }, needs);

async function playHour(played: PlayedField): Promise<void> {
  const { service } = played;
  const start = addHours(hourOf(service.clock.now()), 1);
  const turnAt = async (minute: number): Promise<void> => {
    service.clock.set(new Date(start.getTime() + minute * MINUTE));
    await service.turn();
  };
  await turnAt(0);
  await played.predict(0.8);
  for (const minute of CHECKPOINTS) await turnAt(minute + 0.5);
}

async function amendSome({ service, random }: PlayedField): Promise<void> {
  const decided = await service
    .newEm()
    .find(Round, { status: { $in: ['resolved', 'void'] } }, { orderBy: { id: 'asc' } });
  const round = random.pick(decided);
  const others = [...round.choices, 'void'].filter((choice) => choice !== (round.outcome ?? 'void'));
  const isBack = round.voidReason === 'admin' && random.chance(0.5);
  const more = isBack ? { from_evidence: true } : { outcome: random.pick(others) };
  const { status, body } = await act(service, 'amend', round.id, 'It was wrong', more);
  if (status !== 200) throw new Error(JSON.stringify(body));
}

/** Declares the running round and the one after it void, and has both decided by their candles once these are over. */
async function voidEarly({ service }: PlayedField): Promise<void> {
  const early = await service
    .newEm()
    .find(Round, { status: { $in: ['active', 'upcoming'] } }, { orderBy: { id: 'asc' } });
  for (const { id } of early) expect((await act(service, 'void', id, 'It must not be played')).status).toBe(200);
  for (const _round of early) await service.nextHour();
  for (const { id } of early)
    expect(await act(service, 'amend', id, 'It may count', { from_evidence: true })).toMatchObject({ status: 200 });
  neverOpened = early.at(-1)?.id ?? 0;
}

test('no agent is absent from a round voided before its hour, also after a later decision', async () => {
  const { body } = await field.service.request('GET', '/api/me/rounds?limit=10', { key: watcher.key });
  const shown = body.rounds.map((round: { round_id: number }) => round.round_id);
  expect(shown).toContain(neverOpened - 1);
  expect(shown).not.toContain(neverOpened);
});

test('a service with amended rounds verifies without a difference, forecasts and records too', async () => {
  const { differences, compared, notes } = await verified();
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(5000);
  const byOperators = notes.filter((note) => note.endsWith('by an operator: no rule decides that.'));
  expect(byOperators.length).toBeGreaterThan(AMENDMENTS / 2);
  const [{ kinds } = { kinds: 0 }] = await field.service
    .newEm()
    .execute<{ kinds: number }[]>(
      'select count(distinct (from_evidence, outcome is null))::int as kinds from amendments',
    );
  expect(kinds).toBeGreaterThan(2);
});

test('verify finds an amendment that its round does not follow', async () => {
  const changed = `update amendments m set outcome = 'MAYBE' from rounds r
    where r.id = m.round_id and m.id = (select max(id) from amendments)
    returning 'round ' || r.id || ', amendments' as place, 'outcome' as name, to_jsonb(r.outcome) as published`;
  await withPlanted(field.service.newEm, { statements: [changed] }, async (expected) => {
    const { differences } = await verified();
    expect(expected).toHaveLength(1);
    expect(differences).toEqual(expect.arrayContaining(expected.map((one) => expect.objectContaining(one))));
  });
});

test('the log of a service with amended rounds raises no alarm', async () => {
  await using folder = await scopedFolder();
  const file = join(folder.path, 'seen.json');
  const { alarms, differences, notes } = await checkLog(field.service.url, file, needs);
  expect({ alarms, differences, notes }).toEqual({ alarms: [], differences: [], notes: [] });
});
