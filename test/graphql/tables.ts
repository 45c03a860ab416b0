import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Row } from '../../src/entities/tables.ts';
import { camel, type CamelCase } from '../../src/reads/plan/by-alias.ts';

const TABLES = [
  'agents',
  'standings',
  'rounds',
  'round_assets',
  'candles',
  'agreed_candles',
  'predictions',
  'scores',
  'board_places',
  'ordered_boards',
  'kind_boards',
  'earlier_ranks',
  'recent_points',
  'log_records',
  'platform',
] as const;

type Found<Of> = { readonly [Name in keyof Of & string as CamelCase<Name>]: Of[Name] };

type ByName = { readonly [Table in (typeof TABLES)[number] as CamelCase<Table>]: readonly Found<Row<Table>>[] };

export type FoundAgent = ByName['agents'][number];
export type FoundRound = ByName['rounds'][number];

/** A row that belongs to a round, with the columns by which some of them are ordered. */
export type OfRound = ByName['roundAssets'][number] & ByName['candles'][number];

type Loose = Record<'roundAssets' | 'candles' | 'agreedCandles', readonly OfRound[]> &
  Record<'standings', readonly Readonly<Record<string, number | string>>[]>;

/** The tables that nested documents are read from; columns have the names of their properties, such as `alltimePoints`. */
export type Tables = Omit<ByName, keyof Loose> & Readonly<Loose>;

/** All of their rows, as the driver reads them: times as dates, exact decimals as text. */
export async function readTables(em: SqlEntityManager): Promise<Tables> {
  const found: Tables = Object.create({});
  for (const table of TABLES) {
    const { rows } = await sql<object>`select * from ${sql.ref(table)}`.execute(em.getKysely());
    Object.assign(found, { [camel(table)]: rows.map(withProperties) });
  }
  return found;
}

function withProperties(row: object) {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [camel(column), value]));
}
