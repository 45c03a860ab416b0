import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * How the database is to join: row by row through keys, whole tables at once, or whole tables side by side in the order of
 * their keys, which takes no memory. It cannot know by itself: statistics say nothing of a round whose rows are a moment
 * old, and a wrong guess reads all standings for a thousand, or looks a million up one by one.
 */
const HINTS = {
  keyLookups: { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off', work_mem: '16MB' },
  hashJoins: { enable_nestloop: 'off', work_mem: '256MB' },
  /** Groups as well, of which the planner expects few. */
  hashGroups: { enable_nestloop: 'off', enable_sort: 'off', work_mem: '256MB' },
  mergeJoins: { enable_nestloop: 'off', enable_hashjoin: 'off', enable_sort: 'off', work_mem: '256MB' },
} as const;

/** Does work with plans of that kind; the transaction's settings are afterwards what they were at its beginning. */
export async function withPlannerHint<Result>(
  transaction: SqlEntityManager,
  hint: keyof typeof HINTS,
  work: () => Promise<Result>,
): Promise<Result> {
  const database = transaction.getKysely();
  const settings = Object.entries(HINTS[hint]);
  const all = (of: (setting: readonly [string, string]) => string): Promise<unknown> =>
    sql.raw(settings.map(of).join('; ')).execute(database);
  await all(([name, value]) => `set local ${name} = '${value}'`);
  const result = await work();
  await all(([name]) => `set local ${name} to default`);
  return result;
}
