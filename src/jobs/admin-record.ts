import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { AdminAction, type AdminActionName } from '../entities/admin-action.ts';
import type { NewEvent } from '../feed/event-log.ts';

/** Who orders something, and why. */
export interface AdminOrder {
  /** For the audit alone. */
  readonly actor: string;
  /** One sentence; it is shown to everybody. */
  readonly reason: string | null;
}

/** What came of an order: what the operator is answered, and what the audit keeps. */
export type AdminResult = Readonly<Record<string, unknown>>;

export interface AdminRecord extends AdminOrder {
  readonly action: AdminActionName;
  readonly roundId: number;
  readonly result: AdminResult;
  readonly now: Date;
}

/** Puts an action into the audit; part of the transaction that carries it out. */
export async function recordAction(transaction: SqlEntityManager, record: AdminRecord): Promise<void> {
  const { now, actor, action, roundId, reason, result } = record;
  await transaction.insert(AdminAction, { at: now, actor, action, roundId, reason, result });
}

/** The event that tells everybody of an action: what was done and why, and not by whom. */
export function actionEvent({ action, roundId, reason }: Pick<AdminRecord, 'action' | 'roundId' | 'reason'>): NewEvent {
  return { kind: 'ADMIN_ACTION', roundId, payload: { action, roundId, reason } };
}
