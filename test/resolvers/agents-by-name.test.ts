import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';

import { agentPage, agentsPageOf } from '../../src/reads/agents.ts';
import { number } from '../../src/reads/nested.ts';
import { nestedPage } from '../../src/reads/nested-page.ts';
import { pageParts } from '../../src/reads/paging.ts';
import type { Tier } from '../../src/rules/tiers.ts';
import { insertStandings } from '../jobs/inserted-standings.ts';
import { addAgents, type Arena, ARENA_MADE_AT, openArena } from '../support/arena.ts';

let arena: Arena;

const AGENTS = 3_000;
/** All others are in the first tier. */
const HOLDERS = new Map<number, Tier>([
  [2_999, 'gold'],
  [1_234, 'gold'],
  [7, 'silver'],
]);

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, AGENTS);
  const ids = Array.from({ length: AGENTS - 1 }, (_, place) => place + 1);
  await insertStandings(
    arena,
    ids.map((id) => ({ agent_id: id, tier: HOLDERS.get(id) ?? 'bronze' })),
  );
});

afterAll(() => arena.close());

const asked = (tier: readonly Tier[]) => ({ first: 1, tier, orderBy: 'NAME' }) as const;

/** The statements of a page: as loaders send it, and below a field of Query. */
const WAYS: Readonly<Record<string, (tier: readonly Tier[]) => RawBuilder<unknown>>> = {
  'by itself': (tier) => {
    const { from, where, inOrder } = pageParts(agentsPageOf(asked(tier), ARENA_MADE_AT).list, null);
    return sql`select a.id from ${from} where ${where} order by ${inOrder} limit ${2}`;
  },
  'in one statement with all below it': (tier) => {
    const { list, page } = agentsPageOf(asked(tier), ARENA_MADE_AT);
    const selected = [{ key: 'nodes', name: 'nodes', args: {}, selected: [] }];
    const nested = nestedPage<never>(list, page, { rowName: 'Agent', rowOf: () => number(sql`a.id`), selected });
    return sql`select ${nested?.sql ?? sql`null`}`;
  },
};

/** The most rows that a step of the plan hands on, over all of its turns. */
async function mostRows(statement: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Readonly<Record<string, string>>>`explain (analyze) ${statement}`.execute(
    arena.newEm().getKysely(),
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const steps = [...plan.matchAll(/actual time=\S+ rows=([\d.]+) loops=(\d+)/g)];
  expect(steps.length).toBeGreaterThan(3);
  return Math.max(...steps.map(([, count, loops]) => Number(count) * Number(loops)));
}

describe.each(Object.entries(WAYS))('agents of a tier above the first in the order of names, %s', (_, statementOf) => {
  test.each([[['diamond']], [['gold', 'diamond']], [['silver', 'gold', 'diamond']]] as const)(
    '%j are found through the index of tiers, whatever the planner believes',
    async (tier) => {
      expect(await mostRows(statementOf(tier))).toBeLessThanOrEqual(HOLDERS.size);
    },
  );
});

test('pages list them by name, and no others', async () => {
  const listed: number[] = [];
  let after: string | null = null;
  do {
    const page = await agentPage(arena.newEm(), { ...asked(['gold', 'silver']), after }, ARENA_MADE_AT);
    listed.push(...page.nodes.map(({ id }) => id));
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  const names = await arena.query<{ id: number }>(`select id from agents where id = any($1) order by name_key`, [
    [...HOLDERS.keys()],
  ]);
  expect(listed).toEqual(names.map(({ id }) => id));
});

test('the first tier holds those without a standing too', async () => {
  const page = await agentPage(arena.newEm(), { ...asked(['bronze', 'gold']), first: 100 }, ARENA_MADE_AT);
  const first = await arena.query<{ id: number }>('select id from agents where id <> 7 order by name_key limit 100');
  expect(page.nodes.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
});
