import { randomBytes } from 'node:crypto';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { backUp } from '../../src/backup/backup.ts';
import { restore } from '../../src/backup/restore.ts';
import { openOrm } from '../../src/database/orm.ts';
import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { submissionReferences } from '../../src/references/references.ts';
import { appendRecord } from '../../src/transparency/append.ts';
import { keepDigests } from '../../src/transparency/prediction-leaves.ts';
import { rotateServiceKey } from '../../src/transparency/service-keys.ts';
import { addHours, HOUR } from '../../src/rules/hours.ts';
import { amendRound } from '../jobs/amended-round.ts';
import { playRound, type PlayedRound } from '../jobs/played-round.ts';
import type { Arena } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';
import { createTestDatabase } from '../support/database.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { expectWhole, fieldOf, sha256 } from './log-oracle.ts';

/** The last hours of a day, whose board is frozen once they are decided. */
const START = new Date('2026-01-01T22:00:00Z');
const NEXT_DAY = addHours(START, 3);
const arena = sharedArena(3);

function play(hour: number): Promise<PlayedRound> {
  return playRound(arena, addHours(START, hour), [
    [1, 0, 80],
    [2, 1, 70],
    [3, 0, 0],
  ]);
}

async function decided(hour: number, deps: Arena = arena): Promise<PlayedRound> {
  const round = await play(hour);
  await resolveRound(deps, round.id, { now: round.end });
  return round;
}

async function kinds(): Promise<readonly string[]> {
  return (await expectWhole(arena.query)).records.map(({ kind }) => kind);
}

test('rounds that close, are decided, amended and frozen have their leaves, and events carry their checkpoints', async () => {
  const first = await decided(0);
  const [{ outcome } = { outcome: '' }] = await arena.query<{ outcome: string }>(
    'select outcome from rounds where id = 1',
  );
  await amendRound(arena, first.id, first.choices.find((one) => one !== outcome) ?? null);
  const later = await decided(1);
  await afterResolution(arena, NEXT_DAY);
  const { records } = await expectWhole(arena.query);
  expect(records.map(({ kind, round_id: roundId, period }) => [kind, roundId ?? period])).toEqual([
    ['epoch', null],
    ['closed', first.id],
    ['decided', first.id],
    ['amended', first.id],
    ['closed', later.id],
    ['decided', later.id],
    ['frozen', '2026-01-01'],
  ]);
  const events = await arena.query<{ kind: string; note: string }>(
    `select kind, payload ->> 'checkpoint' as note from events where payload ? 'checkpoint' order by seq`,
  );
  const published = records.filter(({ kind }) => !['epoch', 'frozen'].includes(kind));
  expect(events.map(({ note }) => note)).toEqual(published.map(({ note }) => note));
  expect(records[0]?.note).toBeNull();
});

/** A decimal as a whole number of units. */
function units(value: string | number | undefined, unit: number): number {
  return Math.round(Number(value) * unit);
}

test('digests follow from the published rows', async () => {
  const round = await decided(1);
  await afterResolution(arena, NEXT_DAY);
  const { records } = await expectWhole(arena.query);
  const [, , ruling, frozen] = records;
  if (ruling === undefined || frozen === undefined) throw new Error('The log lacks records');
  const scores = await arena.query<Record<string, number | boolean | null>>(
    `select place, agent_id, is_correct, score, arena_points, edge_millionths, contribution_billionths,
      peer_millionths, arena_edge_millionths, standing_edge_millionths from scores where round_id = ${round.id} order by place`,
  );
  const scoreLines = scores.map(
    (row) =>
      `{${Object.values(row)
        .map((one) => (one === null ? 'NULL' : Number(one)))
        .join(',')}}\n`,
  );
  expect(fieldOf(ruling, 'scores')).toBe(sha256(scoreLines.join('')).toString('hex'));
  const candles = await arena.query<Record<string, string | Date | boolean | null>>(
    `select asset, source, hour_start, open, high, low, close, volume, body_hash, counted from candles
     where round_id = ${round.id}`,
  );
  const candleLines = candles.map((row) =>
    Object.values(row)
      .map((one) =>
        one === null ? '-' : one instanceof Date ? one.getTime() : typeof one === 'boolean' ? Number(one) : one,
      )
      .join(' '),
  );
  expect(candleLines.length).toBeGreaterThan(0);
  expect(fieldOf(ruling, 'evidence')).toBe(sha256(`${candleLines.toSorted().join('\n')}\n`).toString('hex'));
  const [archive] = await arena.query<{ rankings: Record<string, string | number>[] }>('select rankings from archives');
  const board = (archive?.rankings ?? []).map((row) => {
    const { rank, agentId, points, arenaPoints, pnlUsd, wins, competitions, bestStreak, brierSum, edgeN, edgeSum } =
      row;
    const figures = [rank, agentId, points, arenaPoints, units(pnlUsd, 100), wins, competitions, bestStreak];
    return `${[...figures, units(brierSum, 10_000), edgeN, units(edgeSum, 1_000_000)].join(' ')}\n`;
  });
  expect(board).toHaveLength(3);
  expect(fieldOf(frozen, 'board')).toBe(sha256(board.join('')).toString('hex'));
});

test('a void round is logged without scores', async () => {
  const round = await play(0);
  const market = {
    ...arena.market,
    decide: async () => ({ ...(await arena.market.decide([], [], START)), problem: 'no_prices' as const }),
  };
  await resolveRound({ ...arena, market }, round.id, { now: new Date(round.end.getTime() + 48 * HOUR) });
  const { records } = await expectWhole(arena.query);
  const ruling = records.at(-1);
  expect(ruling?.leaf).toMatch(/^hourcast decided 1\nround \d+\nstatus void\noutcome -\nvoid_reason no_prices\n/);
  expect(ruling?.leaf).toMatch(/\nscores -\nforecasts -\n$/);
});

test('a commit that fails leaves the tree as it was, and the next one goes on', async () => {
  const round = await play(0);
  await submissionReferences(arena, { id: round.id, endTime: round.end });
  const before = await arena.contents();
  await arena.query(`alter table events add constraint broken check (kind <> 'ROUND_RESOLVED') not valid`);
  await expect(resolveRound(arena, round.id, { now: round.end })).rejects.toThrow('broken');
  await arena.query('alter table events drop constraint broken');
  expect(await arena.contents()).toBe(before);
  await resolveRound(arena, round.id, { now: round.end });
  expect(await kinds()).toEqual(['epoch', 'closed', 'decided']);
});

test('processes that close, decide and freeze at once append each leaf once', async () => {
  await reconcile(arena, addHours(START, 1));
  const end = addHours(START, 2);
  await Promise.all([1, 2, 3].map(() => reconcile(arena, end)));
  await Promise.all([1, 2, 3].map(() => resolveRound(arena, 1, { now: end })));
  const others = [reconcile(arena, NEXT_DAY), afterResolution(arena, NEXT_DAY), afterResolution(arena, NEXT_DAY)];
  const ends = await Promise.allSettled(others);
  expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  expect((await kinds()).toSorted()).toEqual(['closed', 'closed', 'decided', 'epoch', 'frozen']);
});

test('appends at once wait for one another', async () => {
  const leaves = Array.from({ length: 5 }, (_, n) => `made up ${n}\n`);
  const append = (leaf: string) =>
    arena.newEm().transactional((transaction) => appendRecord(transaction, arena, { kind: 'frozen', leaf, at: START }));
  const notes = await Promise.all(leaves.map(append));
  expect(new Set(notes).size).toBe(leaves.length);
  expect((await expectWhole(arena.query)).leaves.slice(1).toSorted()).toEqual(leaves);
});

test('a service without its pepper closes rounds with unsigned checkpoints, and reports that', async () => {
  await arena.query('update service_keys set sealed = true');
  const reported: unknown[] = [];
  const other = { ...arena, keyPepper: 'another', report: (error: unknown) => void reported.push(error) };
  await reconcile(other, START);
  await reconcile(other, addHours(START, 1));
  expect(String(reported[0])).toContain('KEY_PEPPER must be the one');
  expect(await arena.query(`select note like '%epoch 1\n\n' as unsigned from log_state`)).toEqual([{ unsigned: true }]);
  await arena.query('update service_keys set sealed = false');
  await resolveRound(arena, 1, { now: addHours(START, 1) });
  const note = (await arena.query<{ note: string }>('select note from log_state'))[0]?.note;
  expect(note).toContain('\n\n\u2014 hourcast.log/');
});

test('during the rotation of the service key both keys sign checkpoints', async () => {
  const [former] = await arena.query<{ id: number }>('select id from service_keys');
  const id = former?.id ?? 0;
  await arena
    .newEm()
    .transactional((transaction) => rotateServiceKey(transaction, id, { keyPepper: undefined, randomBytes }));
  await decided(0);
  // Which also checks a signature of each stored key.
  const notes = (await expectWhole(arena.query)).records.flatMap(({ note }) => note ?? []);
  expect(notes.map((note) => note.split('\n\u2014 ').length - 1)).toEqual([2, 2]);
  await arena.query('delete from service_keys where id <> $1', [id]);
  await arena.query('update service_keys set retired_at = null');
});

test('words that are erased keep their digest, so that leaves stay', async () => {
  await reconcile(arena, START);
  await arena.query(`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select 1, n, 'YES', 50, '2026-01-01T22:10:00Z' from generate_series(1, 3) n`);
  await arena.query(`insert into rationales (round_id, agent_id, rationale, model)
    values (1, 1, 'Weil es steigt: \u00e4\u00f6', null), (1, 2, null, 'gpt'), (1, 3, 'Both', 'of them')`);
  // One before its round closes, another afterwards.
  await erase(1);
  await reconcile(arena, addHours(START, 1));
  const { leaves } = await expectWhole(arena.query);
  expect(leaves[1]).toContain(sha256('Weil es steigt: \u00e4\u00f6\0').toString('hex'));
  await erase(3);
  expect((await expectWhole(arena.query)).leaves).toEqual(leaves);
});

async function erase(agentId: number): Promise<void> {
  await keepDigests(arena.newEm(), agentId);
  await arena.query('delete from rationales where agent_id = $1', [agentId]);
}

test('a restored backup has the tree, and its next leaf begins an epoch', async () => {
  await decided(0);
  await using folder = await scopedFolder();
  const copy = join(folder.path, 'backup');
  const other = await createTestDatabase();
  const client = new Client(other.connection);
  await client.connect();
  try {
    await backUp(arena.connection, copy, { version: '9.9.9', now: START, progress: () => {} });
    const before = await expectWhole(arena.query);
    await client.query('drop schema public cascade; create schema public');
    await restore(other.connection, copy, { checking: () => {}, loading: () => {} });
    const query = async <Row extends object>(text: string) => (await client.query<Row>(text)).rows;
    expect(await expectWhole(query)).toEqual(before);
    const orm = await openOrm(other.connection);
    await reconcile({ ...arena, newEm: () => orm.em.fork() }, addHours(START, 2));
    await orm.close(true);
    const { records } = await expectWhole(query);
    const [{ epoch } = { epoch: 0 }] = await query<{ epoch: number }>('select epoch from log_state');
    expect(epoch).toBeGreaterThan(1);
    expect(records.slice(before.records.length).map(({ leaf }) => leaf.split('\n', 2))).toEqual([
      ['hourcast epoch 1', `epoch ${epoch}`],
      ['hourcast closed 1', 'round 2'],
    ]);
    expect(records.at(-1)?.note).toContain(`\nepoch ${epoch}\n`);
  } finally {
    await client.end();
    await other.drop();
  }
});
