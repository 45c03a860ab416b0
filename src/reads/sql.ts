import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** A tag that executes a statement and returns its rows, where it has any: ``await rows<{ n: number }>(em)`select 1 as n` ``. */
export function rows<Row>(em: SqlEntityManager) {
  return async (text: TemplateStringsArray, ...values: readonly unknown[]): Promise<readonly Row[]> => {
    const result = await sql<Row>(text, ...values).execute(em.getKysely());
    return result.rows;
  };
}
