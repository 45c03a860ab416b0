import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * How the database is to join: row by row through keys, or whole tables at once. It cannot know by itself: statistics
 * say nothing of a round whose rows are a moment old, and a wrong guess reads all standings for a thousand, or looks a
 * million up one by one.
 */
const PLANS = {
  'by key': { enable_hashjoin: 'off', enable_mergejoin: 'off', work_mem: '16MB' },
  whole: { enable_nestloop: 'off', work_mem: '256MB' },
} as const;

/** Does work with the plans of that kind; the transaction's settings are afterwards what they were at its beginning. */
export async function planned<Result>(
  transaction: SqlEntityManager,
  kind: keyof typeof PLANS,
  work: () => Promise<Result>,
): Promise<Result> {
  const database = transaction.getKysely();
  const names = Object.keys(PLANS[kind]);
  for (const [name, value] of Object.entries(PLANS[kind]))
    await sql`select set_config(${name}, ${value}, true)`.execute(database);
  const result = await work();
  await sql`select set_config(name, reset_val, true) from pg_settings where name = any(${names})`.execute(database);
  return result;
}
