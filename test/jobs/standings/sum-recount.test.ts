import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { applyOutcome } from '../../../src/jobs/apply-outcome.ts';
import { addAgents, type Arena, openArena } from '../../support/arena.ts';
import { endOf, insertRound, NO_CANDLES } from '../inserted-round.ts';
import { standingsNow } from '../standings-now.ts';

let arena: Arena;

const CHOICES = ['BTC', 'ETH', 'SOL', 'AVAX', 'DOGE', 'ADA', 'LINK', 'DOT'];

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 3);
});

afterAll(() => arena.close());

/** Hours apart, so that rounds lie in different windows. */
const HOURS = [0, 24 * 20, 24 * 28, 24 * 30 + 1];

async function play(hour: number, place: number, agents: readonly number[] = [1, 2, 3]): Promise<void> {
  const choices = CHOICES.slice(0, [2, 4, 8][place % 3]);
  const predictions = agents.map((agentId) => ({
    agentId,
    prediction: choices[agentId % 2] ?? '',
    confidence: 30 * agentId,
    afterMs: 20_000 * agentId,
  }));
  const round = await insertRound(arena, { hour, choices, predictions });
  await applyOutcome(arena.newEm(), round, { ...NO_CANDLES, now: endOf(hour), answer: 'ETH' });
}

const EXTENDED = /(edge|contribution|peer|square_sum|choices|chance)/;

/** As the version before leaves a database: its scores and standings know nothing of what was added since. */
async function forgetFairFigures(): Promise<void> {
  const columns = await arena.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_name = 'standings'`,
  );
  const sums = columns.map(({ name }) => name).filter((name) => EXTENDED.test(name) && name !== 'skill_square_sum');
  await arena.query(`begin; set local session_replication_role = replica;
    update scores set confidence = null, edge_millionths = null, contribution_billionths = null, peer_millionths = null;
    update standings set ${sums.map((name) => `${name} = 0`).join(', ')};
    update platform set boards_updated_at = boards_updated_at + interval '1 second'; commit`);
}

test('what a version before has resolved is added up again, an edge by even odds, and its crowds count nothing', async () => {
  for (const [place, hour] of HOURS.slice(0, -1).entries()) await play(hour, place);
  const [last = 0] = HOURS.slice(-1);
  await forgetFairFigures();
  await play(last, HOURS.length - 1);
  const upgraded = await standingsNow(arena);
  await arena.reset();
  for (const [place, hour] of HOURS.entries()) await play(hour, place);
  const withoutCrowds = (rows: typeof upgraded) =>
    rows.map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !/contribution|peer/.test(name))));
  const throughout = await standingsNow(arena);
  expect(withoutCrowds(upgraded)).toEqual(withoutCrowds(throughout));
  // The last round alone is in the daily window.
  for (const [place, row] of upgraded.entries())
    for (const window of ['daily', 'weekly', 'monthly', 'alltime'])
      for (const sum of ['contribution', 'peer'])
        expect(row[`${window}_${sum}_sum`]).toBe(throughout[place]?.[`daily_${sum}_sum`]);
  expect(throughout.some((row) => row['alltime_peer_sum'] !== row['daily_peer_sum'])).toBe(true);
});

test('an agent whose record asks for another tier gets it with the sums, though it sits the round out', async () => {
  await arena.reset();
  await play(0, 0);
  await forgetFairFigures();
  await arena.query(`update standings set tier = 'gold' where agent_id = 2`);
  await play(1, 0, [1]);
  expect(await arena.query(`select payload from events where kind = 'TIER_CHANGED'`)).toEqual([
    { payload: { agentId: 2, agentName: 'agent-2', from: 'gold', to: 'bronze' } },
  ]);
});
