import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Clock } from '../clock.ts';
import { AdminAction } from '../entities/admin-action.ts';
import type { AdminActionName, AdminTarget } from '../rules/admin-actions.ts';

export interface AdminOrder {
  readonly action: AdminActionName;
  readonly of: AdminTarget;
  /** Of the round, the agent or the service key. */
  readonly id: number;
  /** Who orders it; for the audit alone. */
  readonly actor: string;
  readonly reason: string;
  /** Whether only to say what it would do. */
  readonly dryRun: boolean;
  /** What some actions take beside. */
  readonly name?: string | undefined;
  readonly outcome?: string | undefined;
  readonly fromEvidence?: boolean | undefined;
  readonly round?: number | undefined;
  readonly end?: boolean | undefined;
}

/** What came of an order. */
export interface Done {
  /** A sentence for the operator: what the action does, or would do. */
  readonly effect: string;
  /** What the operator is answered, and what the audit keeps. */
  readonly result: Readonly<Record<string, unknown>>;
  /** What the operator is answered, and nobody keeps. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

interface AuditDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
}

/**
 * Carries a change out with its line in the audit, all or nothing. A dry run is the same change undone, so that it says what
 * would be refused, too.
 */
export async function audited(
  { newEm, clock }: AuditDeps,
  order: AdminOrder,
  change: (transaction: SqlEntityManager, now: Date) => Promise<Done>,
): Promise<Done> {
  const now = clock.now();
  try {
    return await newEm().transactional(async (transaction) => {
      const done = await change(transaction, now);
      if (order.dryRun) throw new Undone(done);
      await recordAction(transaction, order, { now, result: done.result });
      return done;
    });
  } catch (error) {
    if (error instanceof Undone) return error.done;
    throw error;
  }
}

/** Ends the transaction of a dry run. */
class Undone extends Error {
  readonly done: Done;

  constructor(done: Done) {
    super('A dry run changes nothing');
    this.done = done;
  }
}

/** An order as far as it could be read: one that was refused may lack its reason or its id. */
type Attempt = Pick<AdminOrder, 'action' | 'of' | 'actor'> & {
  readonly id: number | null;
  readonly reason: string | null;
};

/** Puts an action into the audit; part of the transaction that carries it out. */
export async function recordAction(
  transaction: SqlEntityManager,
  { action, of, actor, id, reason }: Attempt,
  { now, result }: { readonly now: Date; readonly result: Done['result'] },
): Promise<void> {
  const whom = { roundId: of === 'rounds' ? id : null, agentId: of === 'agents' ? id : null };
  await transaction.insert(AdminAction, { at: now, actor, action, ...whom, reason, result });
}
