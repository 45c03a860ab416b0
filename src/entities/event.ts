import { defineEntity, p } from '@mikro-orm/postgresql';

import { dotted } from '../rules/webhooks.ts';
import { uniqueIndex } from './table-parts.ts';

export const EVENT_KINDS = [
  'ROUND_STORED',
  'ROUND_OPENED',
  'FORECAST',
  'STANDING_APPLIED',
  'ROUND_UNANSWERED',
  'ROUND_CLOSED',
  'ROUND_RESOLVED',
  'ROUND_VOID',
  'ROUND_AMENDED',
  'LEADERBOARD_CHANGED',
  'TIER_CHANGED',
  'STANDING_LAPSED',
  'WEBHOOK_DISABLED',
  'ADMIN_ACTION',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const WEBHOOK_KINDS: readonly string[] = EVENT_KINDS.map(dotted);

/** An event, written in the transaction that causes it. `seq` has no gaps. */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    seq: p.integer().primary().autoincrement(false),
    kind: p.enum(EVENT_KINDS),
    at: p.datetime(3),
    /** No foreign key: the log keeps events of removed upcoming rounds. */
    roundId: p.integer().nullable(),
    payload: p.json<Readonly<Record<string, unknown>>>(),
    /** The part that only its agent may read, with the agent's id; null if all is public. */
    own: p.json<Readonly<Record<string, unknown>>>().nullable(),
  },
  indexes: [uniqueIndex('events_one_unanswered', `"events" ("round_id") where kind = 'ROUND_UNANSWERED'`)],
});
