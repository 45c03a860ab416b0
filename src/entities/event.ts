import { defineEntity, p } from '@mikro-orm/core';

import { dotted } from '../rules/webhooks.ts';

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

/** The kinds as webhooks spell them. */
export const WEBHOOK_KINDS: readonly string[] = EVENT_KINDS.map(dotted);

/** Something that happened, written in the transaction that made it happen. `seq` has no gaps. */
export const Event = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    seq: p.integer().primary().autoincrement(false),
    kind: p.enum(EVENT_KINDS),
    at: p.datetime(3),
    /** No foreign key: the log stays as it was when an upcoming round is removed. */
    roundId: p.integer().nullable(),
    payload: p.json<Readonly<Record<string, unknown>>>(),
    /** What its agent alone is to read, and which agent that is; null: there is nothing that not everybody may read. */
    own: p.json<Readonly<Record<string, unknown>>>().nullable(),
  },
  indexes: [
    {
      name: 'events_one_unanswered',
      expression: `create unique index "events_one_unanswered" on "events" ("round_id") where kind = 'ROUND_UNANSWERED'`,
    },
  ],
});
