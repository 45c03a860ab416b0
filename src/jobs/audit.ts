import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { AdminAction } from '../entities/admin-action.ts';
import type { AdminActionName, AdminTarget } from '../rules/admin-actions.ts';
import type { ResolvingDeps } from './resolve/waiting-rounds.ts';

export interface AdminOrder {
  readonly action: AdminActionName;
  readonly of: AdminTarget;
  /** The id of the round, the agent or the service key. */
  readonly id: number;
  /** The operator's name, for the audit alone. */
  readonly actor: string;
  readonly reason: string;
  readonly dryRun: boolean;
  /** Parameters of some actions. */
  readonly name?: string | undefined;
  readonly outcome?: string | undefined;
  readonly fromEvidence?: boolean | undefined;
  readonly round?: number | undefined;
  readonly end?: boolean | undefined;
}

export interface ActionResult {
  /** A sentence for the operator: what the action does, or would do. */
  readonly effect: string;
  /** Part of the answer, stored in the audit. */
  readonly result: Readonly<Record<string, unknown>>;
  /** Part of the answer, stored nowhere. */
  readonly shownOnce?: Readonly<Record<string, unknown>>;
}

/** Makes a change and its audit row in one transaction; a dry run is the same transaction rolled back, with the same errors. */
export async function withAudit(
  { newEm, clock }: Pick<ResolvingDeps, 'newEm' | 'clock'>,
  order: AdminOrder,
  change: (transaction: SqlEntityManager, now: Date) => Promise<ActionResult>,
): Promise<ActionResult> {
  const now = clock.now();
  try {
    return await newEm().transactional(async (transaction) => {
      const done = await change(transaction, now);
      if (order.dryRun) throw new DryRunEnd(done);
      await recordAction(transaction, order, { now, result: done.result });
      return done;
    });
  } catch (error) {
    if (error instanceof DryRunEnd) return error.done;
    throw error;
  }
}

/** Ends the transaction of a dry run. */
class DryRunEnd extends Error {
  readonly done: ActionResult;

  constructor(done: ActionResult) {
    super('A dry run changes nothing');
    this.done = done;
  }
}

/** An order; a refused one may lack its reason or id. */
type Attempt = Pick<AdminOrder, 'action' | 'of' | 'actor'> & {
  readonly id: number | null;
  readonly reason: string | null;
};

export async function recordAction(
  transaction: SqlEntityManager,
  { action, of, actor, id, reason }: Attempt,
  { now, result }: { readonly now: Date; readonly result: ActionResult['result'] },
): Promise<void> {
  const whom = { roundId: of === 'rounds' ? id : null, agentId: of === 'agents' ? id : null };
  await transaction.insert(AdminAction, { at: now, actor, action, ...whom, reason, result });
}
