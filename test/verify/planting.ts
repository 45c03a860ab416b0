import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Difference } from '../../src/verify/findings.ts';

/** A wrong value that is written into the database behind the service's back. */
export interface PlantedError {
  readonly name: string;
  /** Statements that plant it; the last one gives each difference that has to be found, or what is known of it. */
  readonly statements: readonly string[];
}

/** What a statement writes into; `saved_` are the copies. */
const WRITES = /\b(?:(?<!do )update|insert into|delete from) (\w+)/g;

/**
 * Plants an error past every trigger and constraint, does the work, and puts the tables back. The work is given the
 * differences that have to be found.
 */
export async function withPlanted(
  newEm: () => SqlEntityManager,
  { statements }: Pick<PlantedError, 'statements'>,
  work: (expected: readonly Partial<Difference>[]) => Promise<void>,
): Promise<void> {
  const written = statements.flatMap((text) => [...text.matchAll(WRITES)].map(([, table = '']) => table));
  // Boards by kind that the work asks for are made of what was planted.
  const tables = new Set([...written, 'kind_boards']);
  const expected = await pastGuards(newEm(), async (run) => {
    for (const table of tables) await run(`create table saved_${table} as table ${table}`);
    let rows: readonly Partial<Difference>[] = [];
    for (const statement of statements) rows = await run(statement);
    return rows;
  });
  try {
    await work(expected);
  } finally {
    await pastGuards(newEm(), async (run) => {
      for (const table of tables) {
        await run(`delete from ${table}`);
        await run(`insert into ${table} table saved_${table}`);
        await run(`drop table saved_${table}`);
      }
    });
  }
}

type Run = (statement: string) => Promise<readonly Partial<Difference>[]>;

function pastGuards<T>(em: SqlEntityManager, work: (run: Run) => Promise<T>): Promise<T> {
  return em.transactional(async (transaction) => {
    const run: Run = async (statement) => {
      const raw: RawBuilder<Partial<Difference>> = sql.raw(statement);
      return (await raw.execute(transaction.getKysely())).rows;
    };
    await run(`set local session_replication_role = replica`);
    return work(run);
  });
}
