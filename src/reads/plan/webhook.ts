import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { dotted } from '../../rules/webhooks.ts';
import { byAlias } from './by-alias.ts';
import { type Column, many, one, plain, type RowOf, whole } from './plan.ts';
import { byEntityManager } from './read-column.ts';

const { w } = byAlias({ w: 'webhooks' });

const COLUMNS = {
  ...w.plain('id', 'url', 'state'),
  ...w.instant('failing_since'),
  kinds: { sql: w('kinds'), read: (json: unknown) => (Array.isArray(json) ? json.map(dotted) : []) },
  cursor: plain(w('cursor_seq')),
};

/** A webhook as its agent sees it. */
export type WebhookRow = RowOf<typeof COLUMNS>;

/** A row `w` of `webhooks`. */
const WEBHOOK: Column<WebhookRow> = whole(COLUMNS);

/** The webhooks of an agent `a`, the oldest first. */
export const WEBHOOKS: Column<readonly WebhookRow[]> = many(
  WEBHOOK,
  sql`webhooks w where w.agent_id = a.id order by w.id`,
);

/** The same, read alone. */
export function webhooksOf(em: SqlEntityManager, agentId: number) {
  return byEntityManager(em)(one(WEBHOOKS, sql`agents a where a.id = ${agentId}`));
}
