import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { agentsPageOf } from '../../src/reads/agents.ts';
import type { Connection } from '../../src/reads/plan/page.ts';
import { insertStandings } from '../jobs/inserted-standings.ts';
import { addAgents, type Arena, ARENA_MADE_AT, openArena } from '../support/arena.ts';
import { readIds } from '../support/read-page.ts';

let arena: Arena;

/** Agents 1 to 7 by their all-time points; 6 and 7 have no standing, and 7 only watches. */
const POINTS = [10, 30, 0, -5, 10] as const;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 7);
  await arena.query(`update agents set mode = 'spectate', reserved_until = '2027-01-01' where id = 7`);
  await insertStandings(
    arena,
    POINTS.map((points, place) => ({ agent_id: place + 1, alltime_points: points, alltime_competitions: 1 })),
  );
});

afterAll(() => arena.close());

/** The ids of all pages, one after the other. */
async function listed(first: number, filter: Partial<Parameters<typeof agentsPageOf>[0]> = {}): Promise<number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  do {
    const variables = { ...filter, first, after, orderBy: 'POINTS' } as const;
    const page: Connection<number> = await readIds(arena.newEm(), agentsPageOf(variables, ARENA_MADE_AT), sql`a.id`);
    expect(page.pageInfo.hasPreviousPage).toBe(ids.length > 0);
    ids.push(...page.nodes);
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  } while (after !== null);
  return ids;
}

test.each([1, 2, 3, 4, 7, 50])(
  'pages of %i list agents by points, then id, with 0 for unscored ones',
  async (first) => {
    expect(await listed(first)).toEqual([2, 1, 5, 3, 6, 7, 4]);
  },
);

test('a filter excludes agents from every page', async () => {
  expect(await listed(1, { mode: 'spectate' })).toEqual([7]);
  expect(await listed(2, { mode: 'compete' })).toEqual([2, 1, 5, 3, 6, 4]);
  expect(await listed(3, { tier: ['bronze'] })).toEqual([2, 1, 5, 3, 6, 7, 4]);
  expect(await listed(1, { tier: ['silver'] })).toEqual([]);
});
