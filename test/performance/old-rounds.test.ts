import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { openOrm, type Orm } from '../../src/database/orm.ts';
import { followRounds } from '../../src/jobs/ledger/following.ts';
import { afterResolution } from '../../src/jobs/resolve/after-resolution.ts';
import { unreadyParts } from '../../src/operating/readiness.ts';
import { roundFigures } from '../../src/operating/round-figures.ts';
import { ownRoundsOf } from '../../src/reads/own-rounds.ts';
import { pageRows } from '../../src/reads/plan/page.ts';
import { ofParent, plain } from '../../src/reads/plan/plan.ts';
import { byEntityManager } from '../../src/reads/plan/read-column.ts';
import { roundsPageOf } from '../../src/reads/rounds.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { manualClock } from '../support/manual-clock.ts';
import { explainStatements, rowsLookedAt } from '../jobs/explained-statements.ts';
import { endOf, insertDecided } from '../jobs/inserted-round.ts';

/** Every second one is void. */
const OLD = 6_000;
/** Boards in every order are made of the newest 1,000 resolved rounds. */
const MOST = 2_010;
const NEW = 5;
/** They read all rounds: the former for each kind without a board, the latter for days without one, once a decision. */
const EXEMPT = [/left join "kind_sums" as "k"/, /^select date_trunc\('day', "start_time", 'UTC'\) as "day"/];
const NOW = endOf(OLD + NEW);

let arena: Arena;
let orm: Orm;
const newEm = () => orm.em.fork();

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 3);
  await arena.query(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source,
       outcome, resolution_value, void_reason, opened_at, decided_at, counted_at, kind_windows)
     select at, at + interval '1 hour', case when void then 'void' else 'resolved' end, 'direction', 'boolean', 'old',
       '["YES", "NO"]', 'scripted', case when not void then 'YES' end, case when not void then 1 end,
       case when void then 'tie' end, at, at + interval '1 hour', at + interval '1 hour', 8
     from generate_series($1::timestamptz, $1::timestamptz + ($2 - 1) * interval '1 hour', interval '1 hour') at,
       lateral (select extract(hour from at)::int % 2 = 1 as void) v`,
    [endOf(-1), OLD],
  );
  await explainStatements(arena);
  orm = await openOrm(arena.connection, 2);
  for (let hour = OLD; hour < OLD + NEW; hour += 1) await decide(hour);
  await arena.query('vacuum analyze');
});

afterAll(async () => {
  await orm.close(true);
  await arena.close();
});

async function decide(hour: number): Promise<void> {
  const predictions = [1, 2, 3].map((agentId) => ({ agentId, confidence: 60 }));
  await insertDecided({ ...arena, newEm }, { hour, assets: ['BTC'], predictions }, { answer: 'YES' });
  await afterResolution({ ...arena, newEm }, endOf(hour));
}

const NEWCOMER = { id: 1, name: 'agent-1', mode: 'compete', registeredAt: endOf(OLD) } as const;

test.each<[string, () => Promise<unknown>]>([
  ['the rounds of an agent that is new', () => ownRoundsOf(newEm(), NEWCOMER, 100)],
  ['a page of rounds that have not ended', () => page({ ended: false })],
  [
    'a check for readiness',
    () => unreadyParts({ ...arena, newEm, clock: manualClock(NOW.toISOString()), feed: null, status: () => [] }),
  ],
  ['a move of rounds between windows', () => followRounds(newEm, () => false)],
  ['a resolution, and what follows it', () => decide(OLD + NEW)],
])('%s reads few of the rounds of all time', async (_name, work) => {
  const parts = await rowsLookedAt(work);
  const held = parts.filter(({ statement }) => !EXEMPT.some((one) => one.test(statement)));
  expect(held.length).toBeGreaterThan(0);
  expect(held.filter(({ rows }) => rows > MOST)).toEqual([]);
});

test('the newest decision is found without all others', async () => {
  const parts = await rowsLookedAt(() => roundFigures(newEm()));
  const found = parts.filter(({ statement }) => /order by "r"."decided_at" desc/.test(statement));
  expect(found.map(({ index }) => index)).toContain('rounds_decided');
  expect(found.filter(({ rows }) => rows > MOST)).toEqual([]);
});

function page(filter: object): Promise<unknown> {
  const rows = pageRows(roundsPageOf({ first: 10, after: null, ...filter }, NOW), plain<number>(sql`r.id`));
  return byEntityManager(newEm())(ofParent(sql`1::int`, rows));
}
