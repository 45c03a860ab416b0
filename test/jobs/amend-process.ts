import { Round } from '../../src/entities/round.ts';
import { openOrm } from '../../src/database/orm.ts';
import { applyAmendment } from '../../src/jobs/resolve/apply-amendment.ts';
import { lockRound } from '../../src/jobs/ledger/locks.ts';
import { someReferences } from './inserted-round.ts';

/* Amends a round and ends: the connection and the round with its new answer are its argument. */

const { connection, id, outcome } = JSON.parse(process.argv[2] ?? '');
const orm = await openOrm(connection);
await orm.em.fork().transactional(async (transaction) => {
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
  });
});
await orm.close(true);
