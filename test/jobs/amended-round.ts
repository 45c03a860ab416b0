import { Round } from '../../src/entities/round.ts';
import { applyAmendment } from '../../src/jobs/resolve/apply-amendment.ts';
import { lockRound } from '../../src/jobs/ledger/locks.ts';
import { type Arena, LOGGING } from '../support/arena.ts';
import { someReferences } from './inserted-round.ts';

/** Amends a decided round to another answer, or to none. */
export async function amendRound({ newEm }: Pick<Arena, 'newEm'>, id: number, outcome: string | null): Promise<void> {
  await newEm().transactional(async (transaction) => {
    const locked = await lockRound(transaction, id, new Date());
    const round = await transaction.findOneOrFail(Round, { id });
    const { decidedAt } = round;
    if (locked === null || decidedAt == null) throw new Error(`Round ${id} is not decided`);
    await applyAmendment(transaction, Object.assign(round, { decidedAt }), {
      decision: outcome === null ? { outcome, voidReason: 'admin' } : { outcome, voidReason: null },
      reason: 'It was wrong',
      verdict: null,
      references: someReferences(round.choices),
      amendedAt: locked.decidedAt,
      events: [],
      deps: LOGGING,
    });
  });
}
