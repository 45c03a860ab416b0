import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { afterResolution } from '../../src/jobs/after-resolution.ts';
import { skilledAgents } from '../../src/jobs/after/skilled-agents.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { brierOf } from '../oracle/crowd.ts';
import { sharedArena } from '../support/shared.ts';
import { endOf, insertDecided, type InsertedPrediction } from './inserted-round.ts';

const AGENTS = 24;
const arena = sharedArena(AGENTS);

/** What the price says: never even, and known at every point. */
function referenceAt(choiceCount: number): readonly number[] {
  return Array.from({ length: choiceCount }, (_, place) => (2 * (place + 1)) / (choiceCount * (choiceCount + 1)));
}

const entrant = fc.record({
  pick: fc.nat(7),
  confidence: fc.integer({ min: 0, max: 100 }),
  /** Null: submitted. */
  setMs: fc.option(fc.constantFrom(-1, 0, 1, 600_000)),
  afterMs: fc.integer({ min: 0, max: 3_000_000 }),
});

const field = fc.record({
  choiceCount: fc.constantFrom(2, 4, 8),
  entrants: fc.array(entrant, { minLength: 1, maxLength: AGENTS }),
  isLarge: fc.boolean(),
  /** What the price says when the hour begins: as later on, reversed, or nothing that is known. */
  opening: fc.constantFrom('alike', 'reversed', 'unknown'),
});

/** What hangs on the crowd alone, of the round and of all that was submitted in it. */
async function ofTheCrowd(): Promise<readonly object[]> {
  const tables = ['round_tallies', 'field_tallies', 'forecast_pools', 'crowd_minutes', 'daily_tallies', 'lead_tallies'];
  const rows: object[] = [];
  for (const table of tables)
    rows.push(...(await arena.query(`select '${table}' as of, to_jsonb(t) as row from ${table} t order by t::text`)));
  const submitted = await arena.query(
    `select agent_id, edge_millionths, arena_edge_millionths, contribution_billionths, peer_millionths from scores
     where not standing order by agent_id`,
  );
  const rounds = await arena.query('select difficulty_millionths from rounds');
  return [...rows, ...submitted, ...rounds];
}

test('what was standing changes nothing of crowd, difficulty, tallies and forecast, and of what was submitted only places and points', async () => {
  await fc.assert(
    fc.asyncProperty(field, async ({ choiceCount, entrants, isLarge, opening }) => {
      const choices = ASSETS.slice(0, choiceCount);
      const predictions = entrants.map(({ pick, confidence, setMs, afterMs }, place): InsertedPrediction => {
        const own = { agentId: place + 1, prediction: choices[pick % choiceCount] ?? '', confidence, afterMs };
        return setMs === null ? own : { ...own, afterMs: 3_000_000, setMs };
      });
      const references = new Map(Array.from({ length: 240 }, (_, point) => [point, referenceAt(choiceCount)] as const));
      if (opening === 'unknown') references.delete(0);
      if (opening === 'reversed') references.set(0, referenceAt(choiceCount).toReversed());
      const even = choices.map(() => 1 / choiceCount);
      const atStart = references.get(0) ?? even;
      const ruling = { answer: 'BTC', references, rebuildFrom: isLarge ? 0 : Infinity };
      const play = async (played: readonly InsertedPrediction[]) => {
        await arena.reset();
        await insertDecided(arena, { hour: 0, choices, assets: ['BTC'], predictions: played }, ruling);
        await afterResolution({ newEm: arena.newEm }, endOf(0));
        return ofTheCrowd();
      };
      const alone = await play(predictions.filter(({ setMs }) => setMs === undefined));
      expect(await play(predictions)).toEqual(alone);
      const stored = await arena.query<Record<string, number | null>>(
        `select agent_id as agent, edge_millionths as edge, arena_edge_millionths as arena, contribution_billionths as contribution,
           peer_millionths as peer, confidence, is_correct::int as correct from scores where standing order by agent_id`,
      );
      const standing = predictions.filter(({ setMs }) => setMs !== undefined);
      expect(stored.map(({ agent }) => agent)).toEqual(standing.map(({ agentId }) => agentId));
      for (const [place, { prediction, confidence, setMs = 0 }] of standing.entries()) {
        const pick = Math.min(0.98, Math.max(confidence / 100, 1 / choiceCount));
        const own = choices.map((one) => (one === prediction ? pick : (1 - pick) / (choiceCount - 1)));
        const reference = setMs <= 0 ? atStart : referenceAt(choiceCount);
        const { edge, arena: arenaEdge, contribution, peer } = stored[place] ?? {};
        expect(Math.abs((edge ?? NaN) / 1e6 - (brierOf(reference, 0) - brierOf(own, 0)))).toBeLessThan(1.001e-6);
        if (setMs <= 0) expect(arenaEdge).toBe(edge);
        expect([contribution, peer]).toEqual([null, null]);
      }
    }),
    { numRuns: 12 },
  );
});

test('luck and the count of the skilled leave out what was standing, and all other sums have it', async () => {
  await arena.reset();
  const references = new Map(Array.from({ length: 240 }, (_, point) => [point, [0.5, 0.5]] as const));
  for (let hour = 0; hour < 40; hour += 1) {
    const isStanding = hour % 2 === 1;
    const predictions = [
      { agentId: 1, confidence: isStanding ? 90 : 60, afterMs: 60_000, ...(isStanding ? { setMs: -1 } : {}) },
      { agentId: 2, confidence: 60, afterMs: 60_000 },
    ];
    const answer = isStanding || hour % 4 === 0 ? 'YES' : 'NO';
    await insertDecided(arena, { hour, predictions: predictions.slice(0, isStanding ? 1 : 2) }, { answer, references });
  }
  const [sums] = await arena.query<Record<string, number>>(
    `select alltime_competitions as n, alltime_wins as wins, alltime_standing_n as standing, alltime_standing_wins as "standingWins",
       alltime_pnl_usd::float8 - alltime_chance_pnl_sum / 800.0::float8 as "pnlBeyondChance",
       alltime_chance_pnl_variance as variance
     from standings where agent_id = 1`,
  );
  const [other] = await arena.query<Record<string, number>>(
    `select alltime_pnl_usd::float8 - alltime_chance_pnl_sum / 800.0::float8 as "pnlBeyondChance", alltime_chance_pnl_variance as variance
     from standings where agent_id = 2`,
  );
  expect(sums).toEqual({ n: 40, wins: 30, standing: 20, standingWins: 20, ...other });
  // 20 rounds each by themselves: one agent's edges with what was standing would look skilled.
  expect(await skilledAgents(arena.newEm())).toMatchObject({ tested: 2, looking: 0 });
});
