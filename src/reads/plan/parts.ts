import { expressionBuilder } from 'kysely';

import type { DB } from '../../entities/tables.ts';

/** Builds parts of statements, without a connection. */
export const parts = expressionBuilder<DB>();
