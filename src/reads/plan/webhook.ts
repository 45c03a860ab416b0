import { sql } from 'kysely';

import { dotted, type WebhookState } from '../../rules/webhooks.ts';
import { type Column, instantOrNull, many, plain, type RowOf, whole } from './plan.ts';

const COLUMNS = {
  id: plain<number>(sql`w.id`),
  url: plain<string>(sql`w.url`),
  kinds: { sql: sql`w.kinds`, read: (json: unknown) => (Array.isArray(json) ? json.map(dotted) : []) },
  cursor: plain<number>(sql`w.cursor_seq`),
  state: plain<WebhookState>(sql`w.state`),
  failingSince: instantOrNull(sql`w.failing_since`),
};

/** A webhook as its agent sees it. */
export type WebhookRow = RowOf<typeof COLUMNS>;

/** A row `w` of `webhooks`. */
export const WEBHOOK: Column<WebhookRow> = whole(COLUMNS);

/** The webhooks of an agent `a`, the oldest first. */
export const WEBHOOKS: Column<readonly WebhookRow[]> = many(
  WEBHOOK,
  sql`webhooks w where w.agent_id = a.id order by w.id`,
);
