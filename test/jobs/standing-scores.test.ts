import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { skilledAgents } from '../../src/jobs/boards/skilled-agents.ts';
import { readForecastInputs } from '../../src/forecasts/forecast-inputs.ts';
import { agentGroups } from '../../src/reads/breakdowns.ts';
import { sharedRecord } from '../../src/reads/head-to-head.ts';
import { historiesOf } from '../../src/reads/histories.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { brierOf } from '../oracle/crowd.ts';
import { sharedArena } from '../support/shared.ts';
import { endOf, insertDecided, type InsertedPrediction } from './inserted-round.ts';
import { insertStandings } from './inserted-standings.ts';
import { openHour, timeIn } from './standing-field.ts';

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

test('standing predictions change only places and points, not crowd, difficulty, tallies or forecast', async () => {
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
        await afterResolution(arena, endOf(0));
        return ofTheCrowd();
      };
      const alone = await play(predictions.filter(({ setMs }) => setMs === undefined));
      expect(await play(predictions)).toEqual(alone);
      const stored = await arena.query<Record<string, number | null>>(
        `select agent_id as agent, standing_edge_millionths as edge, edge_millionths as summed, arena_edge_millionths as arena,
           contribution_billionths as contribution, peer_millionths as peer from scores where standing order by agent_id`,
      );
      const standing = predictions.filter(({ setMs }) => setMs !== undefined);
      expect(stored.map(({ agent }) => agent)).toEqual(standing.map(({ agentId }) => agentId));
      for (const [place, { prediction, confidence, setMs = 0 }] of standing.entries()) {
        const pick = Math.min(0.98, Math.max(confidence / 100, 1 / choiceCount));
        const own = choices.map((one) => (one === prediction ? pick : (1 - pick) / (choiceCount - 1)));
        const reference = setMs <= 0 ? atStart : referenceAt(choiceCount);
        const { edge, summed, arena: arenaEdge, contribution, peer } = stored[place] ?? {};
        expect(Math.abs((edge ?? NaN) / 1e6 - (brierOf(reference, 0) - brierOf(own, 0)))).toBeLessThan(1.001e-6);
        expect([summed, arenaEdge, contribution, peer]).toEqual([null, null, null, null]);
      }
    }),
    { numRuns: 12 },
  );
});

test('luck and the number of skilled agents exclude standing predictions, other sums include them', async () => {
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

/** Of what an agent has in a window. */
const EDGES = `select alltime_competitions as n, alltime_competitions - alltime_without_edge as edges, alltime_edge_sum::int as edge,
  alltime_edge_square_sum::float8 as squares, alltime_arena_edges as "arenaEdges", alltime_arena_edge_sum::int as "arenaEdge",
  tier from standings where agent_id = $1`;

test('selective use of a standing prediction after the price moved earns no edge', async () => {
  const [ends, answers, knows] = [1, 2, 3];
  const [open, speaks] = [
    [0.5, 0.5],
    [0.9, 0.1],
  ];
  await arena.reset();
  // Near gold by points and rounds, so that a tier is a question of edge.
  const near = { alltime_points: 30_000, alltime_competitions: 300 };
  const without = { ...near, alltime_without_edge: 300 };
  await insertStandings(arena, [
    { agent_id: ends, ...without },
    { agent_id: answers, ...without },
    { agent_id: knows, ...near },
  ]);
  const hours = 40;
  for (let hour = 0; hour < hours; hour += 1) {
    const isFor = hour % 2 === 0;
    const late = isFor ? speaks : speaks.toReversed();
    const references = new Map(Array.from({ length: 240 }, (_, point) => [point, point < 190 ? open : late] as const));
    const row = { prediction: 'YES', confidence: 98, afterMs: 3_000_000, setMs: -1 };
    const price = { prediction: 'NO', confidence: 90, afterMs: 2_990_000 };
    const predictions = [
      ...(isFor ? [{ agentId: ends, ...row }] : []),
      { agentId: answers, ...(isFor ? row : price) },
      { agentId: knows, prediction: isFor ? 'YES' : 'NO', confidence: 98, afterMs: 60_000 },
    ];
    const answer = (hour % 10 === 4) === isFor ? 'NO' : 'YES';
    await insertDecided(arena, { hour, predictions }, { answer, references });
  }
  await afterResolution(arena, timeIn(24 * 32, 0));

  const left = await arena.query<{ edge: number }>(
    `select standing_edge_millionths as edge from scores where agent_id = $1 order by round_id`,
    [ends],
  );
  expect(left.map(({ edge }) => edge)).toEqual(
    Array.from({ length: hours / 2 }, (_, place) => (place % 5 === 2 ? -1_420_800 : 499_200)),
  );
  const none = { edge: 0, squares: 0, arenaEdge: 0, tier: 'silver' };
  const only = async (agent: number) => (await arena.query(EDGES, [agent]))[0];
  expect(await only(ends)).toEqual({ n: 320, edges: 0, arenaEdges: 0, ...none });
  expect(await only(answers)).toMatchObject({ n: 340, edges: 20, edge: 0, squares: 0, arenaEdges: 20, tier: 'silver' });
  expect(await only(knows)).toMatchObject({ n: 340, edges: 340, arenaEdges: 40, tier: 'gold' });

  const boards = await arena.query<{ order: string; agents: number[] }>(
    `select order_by as order, array_agg(distinct (place ->> 'agentId')::int) as agents from (
       select order_by, places from ordered_boards union all select order_by, places from kind_boards
     ) board cross join jsonb_array_elements(places) place where order_by in ('EDGE', 'ARENA') group by 1 order by 1`,
  );
  expect(boards).toEqual(['ARENA', 'EDGE'].map((order) => ({ order, agents: [answers, knows] })));
  const archived = await arena.query(
    `select distinct place ->> 'edgeN' as n from archives cross join jsonb_array_elements(rankings) place where place ->> 'agentId' = '1'`,
  );
  expect(archived).toEqual([{ n: '0' }]);

  const em = arena.newEm();
  const request = { agents: ends, days: { from: null, to: null } };
  expect((await agentGroups(em, ['QUESTION_TYPE'], request)).map(({ sums }) => sums.edge.n)).toEqual([0]);
  const [ended, answered] = await historiesOf(em, { window: 'alltime', max: 100, figures: ['edge'] }, [ends, answers]);
  expect([ended?.length, answered?.length]).toEqual([0, hours / 2]);
  expect(await sharedRecord(em, { a: ends, b: knows }, 'alltime')).toMatchObject({ n: hours / 2, edgeGain: null });

  const id = await openHour(arena, hours);
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
     select $1, agent, 'YES', 60 + agent, $2 from unnest($3::int[]) agent`,
    [id, timeIn(hours, 60_000), [ends, answers, knows]],
  );
  const { predictions } = await readForecastInputs(em, { id, startTime: timeIn(hours, 0), choices: ['YES', 'NO'] });
  const weights = predictions
    .flatMap(({ alike }) => alike)
    .filter(({ record, contributors }) => record + contributors > 0);
  expect(weights.map(({ confidence }) => confidence)).toEqual([60 + knows]);
  expect(predictions.flatMap(({ sure }) => sure).map(({ confidence }) => confidence)).toEqual([60 + knows]);
});
