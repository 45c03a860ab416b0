import { defineEntity, p } from '@mikro-orm/core';

export const EVENT_KINDS = [
  'ROUND_STORED',
  'ROUND_OPENED',
  'FORECAST',
  'ROUND_CLOSED',
  'ROUND_RESOLVED',
  'ROUND_VOID',
  'LEADERBOARD_CHANGED',
  'TIER_CHANGED',
  'ADMIN_ACTION',
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

/** Something that happened, written in the transaction that made it happen. `seq` has no gaps. */
const EventSchema = defineEntity({
  name: 'Event',
  tableName: 'events',
  properties: {
    seq: p.integer().primary().autoincrement(false),
    kind: p.enum(EVENT_KINDS),
    at: p.datetime(3),
    /** No foreign key: the log stays as it was when an upcoming round is removed. */
    roundId: p.integer().nullable(),
    payload: p.json<Readonly<Record<string, unknown>>>(),
  },
});

export class Event extends EventSchema.class {}
EventSchema.setClass(Event);
