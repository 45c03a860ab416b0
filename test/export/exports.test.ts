import { beforeAll, describe, expect, test } from '@jest/globals';

import { sharedService } from '../support/shared.ts';
import { insertHistory, roundId } from '../support/many-rows.ts';

const AGENTS = 3;
const ROUNDS = 4;

const service = sharedService();
beforeAll(() => insertHistory(service.newEm(), { agents: AGENTS, rounds: ROUNDS }));

type Item = Readonly<Record<string, unknown>>;

/** The items of an NDJSON export. */
async function exported(path: string): Promise<Item[]> {
  const response = await fetch(service.url + path);
  expect({ status: response.status, type: response.headers.get('content-type') }).toEqual({
    status: 200,
    type: 'application/x-ndjson; charset=utf-8',
  });
  const lines = (await response.text()).split('\n').filter(Boolean);
  return lines.map((line): Item => JSON.parse(line));
}

describe('export of predictions', () => {
  test('the export has every prediction, oldest first', async () => {
    const rows = await exported('/api/export/predictions.ndjson');
    expect(rows).toHaveLength(AGENTS * ROUNDS);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => Number(id)).toSorted((left, right) => left - right));
    expect(rows[0]).toEqual({
      id: 1,
      round_id: roundId(1),
      round_status: 'resolved',
      question_type: 'direction',
      start_time: '2020-01-01 01:00:00',
      agent_id: 1,
      agent_name: 'agent-1',
      prediction: 'YES',
      answers: 2,
      confidence: 1,
      submitted_at: '2020-01-01T01:01:00',
      is_correct: 1,
      score: 40,
      streak_bonus: 0,
      place: 1,
      arena_points: 0,
      pnl_usd: -12.5,
      end_time: '2020-01-01 02:00:00',
      lead_seconds: 3540,
      brier: 0.25,
      edge: 0,
      contribution: null,
      peer_score: null,
      arena_edge: null,
      standing: 0,
    });
  });

  test('the export equals the entries of REST', async () => {
    const { body } = await service.request('GET', `/api/rounds/${roundId(2)}/entries`);
    const rows = await exported(`/api/export/predictions.ndjson?round_id=${roundId(2)}`);
    const entries = rows.map(({ id, agent_name, prediction, confidence, submitted_at, score, is_correct }) => ({
      id,
      agent_name,
      prediction,
      confidence,
      submitted_at,
      score,
      is_correct,
    }));
    expect(body.entries).toMatchObject(entries);
    expect(body.entries).toHaveLength(entries.length);
  });

  test.each([
    { query: `round_id=${roundId(3)}`, count: AGENTS },
    { query: 'agent_id=2', count: ROUNDS },
    { query: 'agent_name=AGENT-2', count: ROUNDS },
    { query: 'status=resolved', count: AGENTS * ROUNDS },
    { query: 'status=void', count: 0 },
    { query: 'question_type=direction', count: (AGENTS * ROUNDS) / 2 },
    { query: 'asset=ETH', count: (AGENTS * ROUNDS) / 2 },
    { query: 'from=2020-01-01%2003:00:00', count: 2 * AGENTS },
    { query: 'from=2020-01-01T02:00:00Z&to=2020-01-01T03:00:00Z', count: AGENTS },
    { query: 'to=2020-01-01', count: 0 },
    { query: 'is_correct=1', count: (AGENTS * ROUNDS) / 2 },
    { query: 'is_correct=0&agent_id=1&asset=BTC', count: 0 },
    { query: 'agent=agent-2', count: ROUNDS },
    { query: 'agent=nobody', count: 0 },
    { query: 'question_type=breadth,direction', count: (AGENTS * ROUNDS) / 2 },
    { query: 'question_type=beat_market,direction&status=void,resolved', count: AGENTS * ROUNDS },
    { query: 'asset=ETH,BTC', count: AGENTS * ROUNDS },
    { query: `after=${AGENTS}`, count: AGENTS * (ROUNDS - 1) },
    { query: 'after=0', count: AGENTS * ROUNDS },
    { query: 'after=999999999', count: 0 },
  ])('the export filtered by $query has $count rows', async ({ query, count }) => {
    expect(await exported(`/api/export/predictions.ndjson?${query}`)).toHaveLength(count);
  });
});

describe('export of rounds', () => {
  test('the export has every round with its outcome and prices', async () => {
    const rows = await exported('/api/export/rounds.ndjson?status=resolved');
    expect(rows).toHaveLength(ROUNDS);
    expect(rows[0]).toMatchObject({
      id: roundId(1),
      choices: ['YES', 'NO'],
      start_time: '2020-01-01 01:00:00',
      end_time: '2020-01-01 02:00:00',
      outcome: 'YES',
      resolution_value: 1,
      decided_at: '2020-01-01T02:01:00.000Z',
      difficulty: null,
      start_btc_price: 100,
      end_btc_price: 101.25,
      btc_return_pct: 1.25,
      start_eth_price: null,
    });
  });

  test('the export of rounds includes open ones', async () => {
    expect(await exported('/api/export/rounds.ndjson?status=active')).toHaveLength(1);
  });
});
