import { describe, expect, test } from '@jest/globals';

import { predict, registerMany } from '../support/agents.ts';
import { INTEGER, oneOf } from './formats.ts';
import { playBets } from '../support/outcomes.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService(() => ({ start: '2026-01-01T12:10:00Z' }));

async function entriesOf(id: number, query = '') {
  return (await service.request('GET', `/api/rounds/${id}/entries${query}`)).body.entries;
}

describe('entries of a round', () => {
  test('a new round has no entries', async () => {
    const { id } = await currentRound(service);
    const { status, body } = await service.request('GET', `/api/rounds/${id}/entries`);
    expect([status, body]).toEqual([200, { entries: [], archived: false }]);
  });

  test('entries are in the order of submission, and have scores after the end', async () => {
    const players = await registerMany(service, 'entry', 3);
    const { id, choices } = await playBets(
      service,
      players.toReversed().map((player, n) => ({ player, right: n !== 1, confidence: 60 + n })),
    );
    const entry = (agent_name: string, n: number) => ({
      id: INTEGER,
      agent_name,
      agent_id: players.find(({ name }) => name === agent_name)?.id,
      prediction: n === 1 ? choices[1] : choices[0],
      confidence: 60 + n,
      submitted_at: '2026-01-01T12:10:00',
      submitted_at_iso: '2026-01-01T12:10:00.000Z',
      standing: false,
      score: null,
      is_correct: null,
      rationale: null,
      model: null,
    });
    const expected = ['entry-3', 'entry-2', 'entry-1'].map(entry);
    expect(await entriesOf(id)).toEqual(expected);
    await service.nextHour();
    const scored = await entriesOf(id);
    expect(scored).toEqual(expected.map((item) => ({ ...item, score: INTEGER, is_correct: oneOf(0, 1) })));
    expect(scored.map(({ score, is_correct }: Record<string, unknown>) => [score, is_correct])).toEqual([
      [70, 1],
      [-20, 0],
      [70, 1],
    ]);
  });

  test('entries are paged by limit and after', async () => {
    const players = await registerMany(service, 'paged', 5);
    for (const player of players) await predict(service, player);
    const { id } = await currentRound(service);
    const all = await entriesOf(id);
    const ids = all.map((entry: { id: number }) => entry.id);
    expect(await entriesOf(id, '?limit=2')).toEqual(all.slice(0, 2));
    expect(await entriesOf(id, `?limit=2&after=${ids[1]}`)).toEqual(all.slice(2, 4));
    expect(await entriesOf(id, `?after=${ids[3]}&limit=2`)).toEqual(all.slice(4));
    expect(await entriesOf(id, `?after=${ids[4]}`)).toEqual([]);
    expect(await entriesOf(id, '?after=0')).toEqual(all);
  });

  test('entries are at most 1,000 per answer', async () => {
    const { id } = await currentRound(service);
    const em = service.newEm();
    await em.execute(
      `insert into agents (name, name_key, mode, key_hash, registered_at)
       select 'mass-' || n, 'mass-' || n, 'compete', lpad(to_hex(n), 64, '0'), now() from generate_series(1, 1001) n`,
    );
    await em.execute(
      `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
       select ?, id, 'YES', 50, now() from agents where name like 'mass-%' order by id`,
      [id],
    );
    service.tell('entries');
    const first = await entriesOf(id);
    expect(first).toHaveLength(1000);
    expect(await entriesOf(id, `?after=${first.at(-1).id}`)).toHaveLength(6);
    expect(await entriesOf(id, '?limit=1000')).toEqual(first);
  });

  test.each(['0', '1001', '-1', '1.5', 'ten', '', '1e2', 'Infinity', '9007199254740992', '10%00', 'null'])(
    'entries refuse limit=%s',
    async (limit) => {
      expectRefusal(await service.request('GET', `/api/rounds/1/entries?limit=${limit}`), 400, /limit.*1000/);
    },
  );

  test.each(['x', '-1', '', '1.5', '9007199254740992'])('entries refuse after=%s', async (after) => {
    expectRefusal(await service.request('GET', `/api/rounds/1/entries?after=${after}`), 400, /after/);
  });
});

test.each(['999999', '2147483647'])('entries of the unknown round %s get 404', async (id) => {
  expectRefusal(await service.request('GET', `/api/rounds/${id}/entries`), 404, /no round/);
});

test.each(['0', '2147483648', '9'.repeat(30), 'x', '-1', '1.5', '%00', 'current', '__proto__'])(
  'entries of the invalid round %s get 400',
  async (id) => {
    expectRefusal(await service.request('GET', `/api/rounds/${id}/entries`), 400, /round_id/);
  },
);
