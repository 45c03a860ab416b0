import { expressionBuilder, NOOP_QUERY_EXECUTOR, QueryCreator } from 'kysely';

import type { DB } from '../../entities/tables.ts';

/** Builds parts of statements, without a connection. */
export const parts = expressionBuilder<DB>();

/** Builds queries that read no table, for use in others. */
export const queries = new QueryCreator<DB>({ executor: NOOP_QUERY_EXECUTOR });
