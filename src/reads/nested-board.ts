import { sql } from 'kysely';

import type { Period } from '../rules/windows.ts';
import { instant, type Nested, nestedMany, nestedRow, type Wanted } from './nested.ts';
import { boardRow } from './nested-rows.ts';

/** The first rows of a window's board; null where they are asked for more than once. */
export function nestedBoard(selected: readonly Wanted[], period: Period, limit: number): Nested | null {
  const [rankings, ...more] = selected.filter(({ name }) => name === 'rankings');
  if (more.length > 0) return null;
  const row = nestedRow(boardRow(period), rankings?.selected ?? []);
  const rows = nestedMany(
    row,
    sql`board_places b join agents a on a.id = b.agent_id join standings s on s.agent_id = b.agent_id
      where b.period = ${sql.lit(period)} and b.position <= ${sql.lit(rankings === undefined ? 0 : limit)} order by b.position`,
  );
  const updatedAt = instant(sql`p.boards_updated_at`);
  return {
    sql: sql`(select json_build_array(${updatedAt.sql}, ${rows.sql}) from platform p where p.id = 1)`,
    read(json) {
      const [at, found]: readonly unknown[] = Array.isArray(json) ? json : [];
      return { period, updatedAt: updatedAt.read(at), rankings: rows.read(found) };
    },
  };
}
