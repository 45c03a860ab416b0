import type { Arena } from '../support/arena.ts';

/** How many units the ledger counts in one of the column's: cents of USD, millionths of Brier. */
function unitsOf(column: string): bigint {
  if (column.endsWith('_usd')) return 100n;
  return column.endsWith('brier_sum') ? 10n ** 6n : 1n;
}

/** Every standing as it is in the database, in the units of the ledger. */
export async function standingsNow(arena: Arena): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const columns = await arena.query<{ column: string; numeric: boolean }>(
    `select column_name as column, data_type in ('numeric', 'bigint') as numeric from information_schema.columns
     where table_name = 'standings' order by ordinal_position`,
  );
  const selected = columns.map(({ column, numeric }) =>
    numeric ? `(${column} * ${unitsOf(column)})::float as ${column}` : column,
  );
  return arena.query(`select ${selected.join(', ')} from standings order by agent_id`);
}

/** The windows' boards worked out from the standings: points, then wins, then the lower id; equal points share a rank. */
export function boardsOf(standings: readonly Readonly<Record<string, unknown>>[]): readonly object[] {
  return ['alltime', 'daily', 'monthly', 'weekly'].flatMap((period) => {
    const rows = standings
      .map((row) => ({
        agent: Number(row['agent_id']),
        points: Number(row[`${period}_points`]),
        wins: Number(row[`${period}_wins`]),
        competitions: Number(row[`${period}_competitions`]),
      }))
      .filter(({ competitions }) => competitions > 0)
      .toSorted((one, other) => other.points - one.points || other.wins - one.wins || one.agent - other.agent);
    return rows.slice(0, 100).map(({ agent, points }, index) => ({
      period,
      position: index + 1,
      agent_id: agent,
      rank: 1 + rows.filter((other) => other.points > points).length,
    }));
  });
}

/** The places that are shown. */
export function boardsNow(arena: Arena): Promise<object[]> {
  return arena.query(
    'select period, position, agent_id, rank from board_places where position <= 100 order by period, position',
  );
}

/** Every rank of every window, by the points that have it, as the stored counts at each of their levels tell it. */
export function countsNow(arena: Arena): Promise<object[]> {
  return arena.query(
    `select period, bits, bucket, agents from board_counts where agents > 0 order by period, bits, bucket`,
  );
}

/** The same from the standings. */
export function countsOf(arena: Arena): Promise<object[]> {
  return arena.query(
    `select period, bits, floor(points / 2.0 ^ bits)::int as bucket, count(*)::int as agents
     from (
       ${['daily', 'weekly', 'monthly', 'alltime'].map((p) => `select '${p}' as period, ${p}_points as points from standings where ${p}_competitions > 0`).join(' union all ')}
     ) s, unnest(array[0, 6, 12]) as bits
     group by 1, 2, 3 order by 1, 2, 3`,
  );
}
