import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { Client } from 'pg';

import { openOrm, type Orm } from '../../src/database/orm.ts';
import { monthTurner } from '../../src/jobs/months.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { pageRows } from '../../src/reads/plan/page.ts';
import { ofParent, plain } from '../../src/reads/plan/plan.ts';
import { predictionsOfRound } from '../../src/reads/prediction-lists.ts';
import { byEntityManager } from '../../src/reads/plan/read-column.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { explainStatements, rowsLookedAt } from './explained-statements.ts';
import { endOf, insertDecided } from './inserted-round.ts';

/*
 * PostgreSQL believes a round whose rows are a moment old to have none or one. A plan that follows from it compares each
 * row with each: minutes at 100,000 of them, and no more than a slow test at the few of all other suites. Here each part
 * of each plan says how many rows it has looked at.
 */

const AGENTS = 1500;
const FEW = 3;
/**
 * Linear work: of each agent, four windows at three widths before and after are 24, and its scores of the 22 rounds that
 * leave a window, two of which it has, are 44 pairs. Each with each would be 1,500.
 */
const MOST = 60 * AGENTS;

/** Reads the record of whoever is shown, which here are few rounds of a small table. */
const RANK_INTERVALS = /array_agg\("r"\."place"/;
/** Writes the list of all who have answered a kind of question anew, off the resolution. */
const SUMS_BY_KIND = /from kind_sums|into kind_sums/;
/** Looks up what whoever is shown earned in each of thirty rounds. */
const RECENT_POINTS = /^insert into "recent_points"/;
/**
 * Reads all standings once for the boards in every order, off the resolution, and those who are tested for skill; those of
 * whoever is on one of these boards, which is many of so few.
 */
const OF_EVERYBODY =
  /as materialized \(select "s"\."agent_id", "s"\."daily_wins"|as "squareSum" from "standings"|from "standings" as "s" where "s"\."agent_id" = any|order by "best_streak" desc/;

let arena: Arena;
let orm: Orm;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS);
  for (const table of ['predictions_first', 'scores_first', 'standings', 'rounds', 'round_tallies'])
    await arena.query(`alter table ${table} set (autovacuum_enabled = off)`);
  await explainStatements(arena);
  orm = await openOrm(arena.connection, 2);
  for (let hour = 0; hour < 20; hour += 1) await decide(hour, FEW, Infinity);
  await arena.query('analyze');
  await monthTurner({ ...arena, newEm })(endOf(20));
});

afterAll(async () => {
  await orm.close(true);
  await arena.close();
});

const newEm = (): SqlEntityManager => orm.em.fork();

async function decide(hour: number, entries: number, rebuildFrom: number): Promise<void> {
  const predictions = Array.from({ length: entries }, (_, place) => ({
    agentId: place + 1,
    prediction: place % 2 === 0 ? 'YES' : 'NO',
    confidence: place % 101,
    afterMs: 1000 * place,
  }));
  await insertDecided({ ...arena, newEm }, { hour, predictions }, { answer: 'YES', rebuildFrom });
  // Models are counted after the resolution.
  await arena.query(`insert into rationales (round_id, agent_id, model)
    select round_id, agent_id, 'm-1' from predictions where round_id = (select max(id) from rounds)`);
  await afterResolution({ ...arena, newEm }, endOf(hour));
}

/** The parts of plans that have looked at more rows than follows from a round of all. */
async function tooMany(work: () => Promise<void>): Promise<readonly object[]> {
  const parts = await rowsLookedAt(work);
  expect(parts.length).toBeGreaterThan(100);
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeGreaterThan(AGENTS);
  return parts.filter(({ rows }) => rows > MOST);
}

test('a large round without statistics is resolved without comparing its rows with each other', async () => {
  expect(await tooMany(() => decide(20, AGENTS, Infinity))).toEqual([]);
});

test('a rebuild of the standings does not compare a large round’s rows with each other', async () => {
  expect(await tooMany(() => decide(21, AGENTS, 0))).toEqual([]);
});

test('large rounds that leave windows are not compared row by row', async () => {
  expect(await tooMany(() => decide(21 + 24, AGENTS, Infinity))).toEqual([]);
  expect(await tooMany(() => decide(21 + 24 + 24, AGENTS, 0))).toEqual([]);
});

test('a rebuild blocked by a reader does not compare a large round’s rows with each other', async () => {
  const reader = new Client(arena.connection);
  await reader.connect();
  await reader.query('begin; lock table standings in access share mode');
  expect(await tooMany(() => decide(21 + 24 + 24 + 24, AGENTS, 0))).toEqual([]);
  await reader.end();
});

test('a small round reads only its own rows, except for boards in other orders', async () => {
  const parts = await rowsLookedAt(() => decide(21 + 24 + 24 + 25, FEW, Infinity));
  const exempt = [RANK_INTERVALS, RECENT_POINTS, OF_EVERYBODY, SUMS_BY_KIND];
  const found = parts.filter(({ statement }) => !exempt.some((one) => one.test(statement)));
  expect(found.length).toBeGreaterThan(100);
  expect(found.filter(({ rows }) => rows >= AGENTS)).toEqual([]);
  const points = parts.filter(({ statement, node }) => RECENT_POINTS.test(statement) && /^(Seq|Index)/.test(node));
  expect(points.map(({ index }) => index)).toEqual([
    'scores_first_agent_rounds',
    // The next month is empty.
    expect.stringMatching(/^scores_2026_02_agent/),
    expect.stringMatching(/^corrected_scores/),
  ]);
});

test('several rounds that leave a window together are found without the whole history', async () => {
  const parts = await rowsLookedAt(() => decide(21 + 24 + 24 + 25 + 24, AGENTS, 0));
  const anew = parts.filter(({ statement }) => statement.startsWith('create table standings_next'));
  expect(anew.length).toBeGreaterThan(5);
  expect(anew.map(({ index }) => index)).not.toContain('scores_first_agent_rounds');
});

test.each(['PLACE', 'PLACE_LAST'] as const)(
  'the first results of a large round by %s are read without reading a row twice',
  async (order) => {
    const [round] = await arena.query<{ id: number }>(
      'select round_id as id from scores group by 1 order by count(*) desc limit 1',
    );
    const results = { list: predictionsOfRound({}, order), page: { first: 10, after: null } };
    const first = ofParent(sql`${round?.id ?? 0}::int`, pageRows(results, plain<string>(sql`p.prediction`)));
    const parts = await rowsLookedAt(() => byEntityManager(newEm())(first));
    expect(parts.length).toBeGreaterThan(3);
    expect(Math.max(...parts.map(({ rows }) => rows))).toBeLessThan(2 * AGENTS);
  },
);
