import { defineEntity, p } from '@mikro-orm/core';
import { appendOnly } from './table-parts.ts';

/** What an operator may do to a round. */
export const ADMIN_ACTIONS = ['void', 'retry', 'resolve'] as const;

export type AdminActionName = (typeof ADMIN_ACTIONS)[number];

/** The longest reason that an operator may give, in characters. */
export const LONGEST_REASON = 500;

/** The audit: what operators did, refused attempts too. Append-only: the database itself refuses changes. */
const AdminActionSchema = defineEntity({
  name: 'AdminAction',
  tableName: 'admin_actions',
  properties: {
    id: p.integer().primary(),
    /** By the service's clock. */
    at: p.datetime(3),
    /** Which token, by a label, and from which address. */
    actor: p.string().length(100),
    action: p.enum(ADMIN_ACTIONS),
    /** No foreign key: the audit stays as it was when an upcoming round is removed. */
    roundId: p.integer(),
    reason: p.string().length(LONGEST_REASON).nullable(),
    /** What came of it: what the operator was answered. */
    result: p.json<Readonly<Record<string, unknown>>>(),
  },
  triggers: [appendOnly('admin_actions')],
});

export class AdminAction extends AdminActionSchema.class {}
AdminActionSchema.setClass(AdminAction);
