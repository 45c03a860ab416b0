import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { dotted } from '../../rules/webhooks.ts';
import { byAlias } from './by-alias.ts';
import { parts } from './parts.ts';
import { type Column, many, one, plain, type RowOf, whole } from './plan.ts';
import { byEntityManager } from './read-column.ts';

const { a, w } = byAlias({ a: 'agents', w: 'webhooks' });

const COLUMNS = {
  ...w.plain('id', 'url', 'state'),
  ...w.instant('failing_since'),
  kinds: { sql: w('kinds'), read: (json: unknown) => (Array.isArray(json) ? json.map(dotted) : []) },
  cursor: plain(w('cursor_seq')),
};

/** A webhook, as its agent sees it. */
export type WebhookRow = RowOf<typeof COLUMNS>;

/** The webhooks of an agent `a`, the oldest first. */
export const WEBHOOKS: Column<readonly WebhookRow[]> = many(
  whole(COLUMNS),
  parts.selectFrom('webhooks as w').where('w.agent_id', '=', a('id')).orderBy('w.id'),
);

export function webhooksOf(em: SqlEntityManager, agentId: number) {
  return byEntityManager(em)(one(WEBHOOKS, parts.selectFrom('agents as a').where('a.id', '=', agentId)));
}
