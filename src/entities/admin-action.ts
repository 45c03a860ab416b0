import { defineEntity, p } from '@mikro-orm/postgresql';

import { ADMIN_ACTIONS, LONGEST_REASON } from '../rules/admin-actions.ts';
import { appendOnly } from './table-parts.ts';

/** The audit: what operators did, refused attempts too. Append-only: the database itself refuses changes. */
export const AdminAction = defineEntity({
  name: 'AdminAction',
  tableName: 'admin_actions',
  properties: {
    id: p.integer().primary(),
    /** Service time. */
    at: p.datetime(3),
    /** The label of the token, and the address. */
    actor: p.string().length(100),
    action: p.enum(ADMIN_ACTIONS.map(({ name }) => name)),
    /** No foreign key: the audit stays as it was when an upcoming round is removed. */
    roundId: p.integer().nullable(),
    /** Null where the reason was refused. */
    reason: p.string().length(LONGEST_REASON).nullable(),
    /** The operator's answer, without personal data. */
    result: p.json<Readonly<Record<string, unknown>>>(),
    /** Null for a round, and where the id was refused. */
    agentId: p.integer().nullable(),
  },
  triggers: [appendOnly('admin_actions')],
});
