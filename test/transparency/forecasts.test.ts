import { join } from 'node:path';

import { expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { picksDigest } from '../../src/transparency/record-digests.ts';
import { checkLog } from '../../src/verify/log/log-check.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { sharedField } from '../support/shared.ts';
import { expectWhole, fieldOf, leavesByRound, type LogRow, type Query, sha256 } from './log-oracle.ts';

const CHECKPOINTS = [5, 15, 55];
/** Standing predictions are submitted at minute 50. */
const TURNS = [5, 15, 50, 55];
const playing = { agents: 9, minutes: [2, 9, 20, 52], checkpoints: TURNS, prices: simulatedMarket() };
const start = '2026-01-01T11:59:00Z';
const open = sharedField({ ...playing, start }, (field) => field.play(3));
const sealed = sharedField({ ...playing, start, picks: 'sealed' }, async (field) => {
  await sql`with rows as (
    insert into standing_rows (question_type, asset, agent_id, answers, confidence, set_at)
    select t, '*', a.id, array['YES'], 80, ${start}::timestamptz
    from agents a, unnest(array['direction', 'threshold', 'touch', 'magnitude', 'range', 'momentum', 'beat_market',
      'breadth']) t
    where a.id < 5 returning agent_id
  ) insert into standing_agents (agent_id, lapses_at)
    select distinct agent_id, timestamptz '2026-02-01T00:00:00Z' from rows`.execute(field.service.newEm().getKysely());
  await field.play(6);
});

function queryOf(field: typeof open): Query {
  return async <Row extends object>(text: string) =>
    (await sql.raw<Row>(text).execute(field.service.newEm().getKysely())).rows;
}

interface Forecast {
  readonly minute: number;
  readonly entries: number;
  readonly probabilities: readonly number[];
  readonly said: readonly number[];
  readonly weights: readonly number[];
}

/** The published forecast of a record, once its round is over. */
async function publishedOf(query: Query, record: LogRow): Promise<Forecast> {
  const [found] = await query<Forecast>(
    `select * from round_forecasts where round_id = ${record.round_id} and minute = ${fieldOf(record, 'minute')}`,
  );
  if (found === undefined) throw new Error('The record has no forecast');
  return found;
}

/** The leaves that are not of standing predictions. */
const ownOf = (leaves: readonly string[] = []) => leaves.filter((leaf) => / 0 \S+\n$/.test(leaf));

const inBillionths = (vector: readonly number[]): string =>
  `${vector.map((one) => Math.floor(one * 1e9 + 0.5)).join(' ')}\n`;

test.each([
  { picks: 'open', field: open },
  { picks: 'sealed', field: sealed },
])(
  'forecasts of a service with $picks picks are leaves, whose salt and published rows make their digests',
  async ({ picks, field }) => {
    const query = queryOf(field);
    const { records } = await expectWhole(query);
    const forecasts = records.filter(({ kind }) => kind === 'forecast');
    expect(forecasts.length).toBeGreaterThanOrEqual(2 * CHECKPOINTS.length);
    expect(new Set(forecasts.map(({ salt }) => salt)).size).toBe(forecasts.length);
    const leaves = await leavesByRound(query);
    for (const record of forecasts) {
      const { probabilities, said, weights, entries } = await publishedOf(query, record);
      const content = [probabilities, said, weights].map(inBillionths).join('');
      expect(fieldOf(record, 'forecast')).toBe(sha256(`${record.salt}\n`, content).toString('hex'));
      expect(fieldOf(record, 'entries')).toBe(String(entries));
      const first = ownOf(leaves.get(record.round_id ?? 0))
        .slice(0, entries)
        .map((leaf) => sha256('\0', leaf));
      const digest = sha256(`${record.salt}\n`, ...first).toString('hex');
      expect(fieldOf(record, 'picks')).toBe(picks === 'open' ? '-' : digest);
    }
    expect(records.some(({ kind, leaf }) => kind === 'decided' && /\nforecasts [\da-f]{64}\n$/.test(leaf))).toBe(true);
  },
);

test('the digest of scored forecasts follows from minutes and Brier scores', async () => {
  const query = queryOf(open);
  const { records } = await expectWhole(query);
  const [ruling] = records.filter(({ kind, leaf }) => kind === 'decided' && /\nforecasts [\da-f]{64}\n$/.test(leaf));
  if (ruling === undefined) throw new Error('No round has scored forecasts');
  const scored = await query<{ minute: number; brier: number }>(
    `select minute, brier from forecast_scores where round_id = ${ruling.round_id} order by minute`,
  );
  const lines = scored.map(({ minute, brier }) => `${minute} ${Math.floor(brier * 1e9 + 0.5)}\n`);
  expect(fieldOf(ruling, 'forecasts')).toBe(sha256(lines.join('')).toString('hex'));
});

test('the digest of picks has the first predictions alone, without standing ones', async () => {
  const query = queryOf(sealed);
  const standing = await query<{ round: number }>(
    `select p.round_id as round from predictions p where p.standing and exists (select from predictions q
       where q.round_id = p.round_id and not q.standing and q.id > p.id) order by 1`,
  );
  const roundId = standing[0]?.round ?? 0;
  const leaves = (await leavesByRound(query)).get(roundId) ?? [];
  const own = ownOf(leaves);
  expect(own.length).toBeLessThan(leaves.length);
  for (const entries of [own.length - 1, own.length]) {
    const digest = await sealed.service
      .newEm()
      .transactional((transaction) => picksDigest(transaction, { roundId, entries, salt: 'ab' }));
    const first = own.slice(0, entries).map((leaf) => sha256('\0', leaf));
    expect(digest).toBe(sha256('ab\n', ...first).toString('hex'));
  }
});

test('verify finds every sealed pick in its digest', async () => {
  await using folder = await scopedFolder();
  const file = join(folder.path, 'seen.json');
  const { alarms, differences } = await checkLog(sealed.service.url, file, { print: () => {} });
  expect({ alarms, differences }).toEqual({ alarms: [], differences: [] });
});
