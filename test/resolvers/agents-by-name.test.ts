import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RawBuilder, sql } from 'kysely';

import { agentsPageOf } from '../../src/reads/agents.ts';
import { type Connection, pageRows } from '../../src/reads/plan/page.ts';
import { plain } from '../../src/reads/plan/plan.ts';
import type { Tier } from '../../src/rules/tiers.ts';
import { insertStandings } from '../jobs/inserted-standings.ts';
import { addAgents, type Arena, ARENA_MADE_AT, openArena } from '../support/arena.ts';
import { pageOfIds, readIds } from '../support/read-page.ts';

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

const filter = (tier: readonly Tier[]) => ({ first: 1, tier, orderBy: 'NAME' }) as const;

/** The statements of a page: of its rows alone, and with what is around them. */
const WAYS: Readonly<Record<string, (tier: readonly Tier[]) => RawBuilder<unknown>>> = {
  'by themselves': (tier) => sql`select ${pageRows(agentsPageOf(filter(tier), ARENA_MADE_AT), plain(sql`a.id`)).sql}`,
  'as a page': (tier) => sql`select ${pageOfIds(agentsPageOf(filter(tier), ARENA_MADE_AT), sql`a.id`).sql}`,
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

describe.each(Object.entries(WAYS))('agents of a higher tier by name, %s', (_, statementOf) => {
  test.each([[['diamond']], [['gold', 'diamond']], [['silver', 'gold', 'diamond']]] as const)(
    'agents of %j are read by the index of tiers despite wrong statistics',
    async (tier) => {
      expect(await mostRows(statementOf(tier))).toBeLessThanOrEqual(HOLDERS.size);
    },
  );
});

function pageFor(args: Parameters<typeof agentsPageOf>[0]): Promise<Connection<number>> {
  return readIds(arena.newEm(), agentsPageOf(args, ARENA_MADE_AT), sql`a.id`);
}

test('pages list the agents of a tier by name, and no others', async () => {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const page: Connection<number> = await pageFor({ ...filter(['gold', 'silver']), after });
    ids.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  const names = await arena.query<{ id: number }>(`select id from agents where id = any($1) order by name_key`, [
    [...HOLDERS.keys()],
  ]);
  expect(ids).toEqual(names.map(({ id }) => id));
});

test('the first tier includes agents without a standing', async () => {
  const page = await pageFor({ ...filter(['bronze', 'gold']), first: 100 });
  const first = await arena.query<{ id: number }>('select id from agents where id <> 7 order by name_key limit 100');
  expect(page.nodes).toEqual(first.map(({ id }) => id));
});
