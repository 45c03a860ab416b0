import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

import { ADMIN_ACTIONS, LONGEST_REASON } from '../rules/admin-actions.ts';
import { appendOnly } from './table-parts.ts';

/** The audit: what operators did, refused attempts too. Append-only: the database itself refuses changes. */
export const AdminAction = defineEntity({
  name: 'AdminAction',
  tableName: 'admin_actions',
  properties: {
    id: p.integer().primary(),
    /** By the service's clock. */
    at: p.datetime(3),
    /** Which token, by a label, and from which address. */
    actor: p.string().length(100),
    action: p.enum(ADMIN_ACTIONS.map(({ name }) => name)),
    /** No foreign key: the audit stays as it was when an upcoming round is removed. */
    roundId: p.integer().nullable(),
    /** Null where the reason was refused. */
    reason: p.string().length(LONGEST_REASON).nullable(),
    /** What came of it: what the operator was answered, without what nobody may keep. */
    result: p.json<Readonly<Record<string, unknown>>>(),
    /** Null beside a round, and where the id was refused. */
    agentId: p.integer().nullable(),
  },
  triggers: [appendOnly('admin_actions')],
});

export type AdminAction = InferEntity<typeof AdminAction>;
