import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/**
 * Planner settings for joins by key lookups, by hashes, or by merging sorted keys, which needs less memory. The planner has no
 * statistics of a round whose rows are new: a wrong plan reads all standings for a thousand, or looks up a million one by one.
 */
const HINTS = {
  keyLookups: { enable_hashjoin: 'off', enable_mergejoin: 'off', enable_seqscan: 'off', work_mem: '16MB' },
  hashJoins: { enable_nestloop: 'off', work_mem: '256MB' },
  /** Groups as well, of which the planner expects few. */
  hashGroups: { enable_nestloop: 'off', enable_sort: 'off', work_mem: '256MB' },
  /** Standings by their key. A round's scores are sorted: their index by agent holds all history. */
  mergeJoins: { enable_nestloop: 'off', enable_hashjoin: 'off', enable_seqscan: 'off', work_mem: '256MB' },
} as const;

/** Runs work with these settings; afterwards the transaction has its defaults again. */
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
