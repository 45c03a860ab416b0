import type { InferKyselyDB } from '@mikro-orm/postgresql';
import type { Generated, Selectable } from 'kysely';

import type { GroupSum, SumName, SUMS, Totals } from '../rules/sums.ts';
import type { Period } from '../rules/windows.ts';
import type { ENTITIES } from './index.ts';

type InferredTables = InferKyselyDB<(typeof ENTITIES)[number]>;

/** The driver returns decimals, and `bigint` beyond 2^53 - 1, as text (database/session.ts). */
type Sum<Name> = Name extends keyof Totals ? Totals[Name] : number | string;

type ColumnOf<Name extends SumName> = (typeof SUMS)[Name]['column'];

type GroupSums = { [One in GroupSum as One['column']]: number | string };

/** Columns made from lists, or from a key over two columns, for which no type is inferred. */
interface DeclaredTables {
  standings: Omit<InferredTables['standings'], Period> & {
    [Name in SumName as `${Period}_${ColumnOf<Name>}`]: Generated<Sum<Name>>;
  };
  /** Parallel arrays, one element per agent. */
  kind_sums: InferredTables['kind_sums'] & { [Name in SumName as ColumnOf<Name>]: Generated<(number | string)[]> };
  model_sums: InferredTables['model_sums'] & GroupSums;
  daily_tallies: InferredTables['daily_tallies'] & GroupSums;
  rationales: Omit<InferredTables['rationales'], `prediction_${string}`> & { round_id: number; agent_id: number };
}

/** All tables with the column names of statements. */
export type DB = Omit<InferredTables, keyof DeclaredTables> & DeclaredTables;

export type Row<Table extends keyof DB> = Selectable<DB[Table]>;

/** The values of these columns, in their order. */
export type Values<Table extends keyof DB, Names extends readonly (keyof Row<Table>)[]> = {
  -readonly [Place in keyof Names]: Row<Table>[Names[Place]];
};
