import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Bus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { Row } from '../entities/tables.ts';
import { appendEvents } from '../feed/event-log.ts';
import { rows } from '../reads/sql.ts';
import { UNANSWERED_MS } from '../rules/webhooks.ts';

interface AnnouncingDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  /** How long before its end a round takes no answers. */
  readonly lockMs: number;
  readonly bus: Pick<Bus, 'nudge'>;
}

/** Any fixed number: it names this notice among PostgreSQL's advisory locks. */
const UNANSWERED_LOCK = 48_623;

/**
 * Logs once that the running round takes answers for 15 more minutes, where a webhook is to be sent that: being an event, it has its
 * place and its id for good. Whom it still concerns is found out when it is sent.
 */
export async function announceUnanswered({ newEm, clock, lockMs, bus }: AnnouncingDeps): Promise<void> {
  const now = clock.now();
  const closesAfter = new Date(now.getTime() + lockMs);
  const noticedFrom = new Date(closesAfter.getTime() + UNANSWERED_MS);
  const due = (em: SqlEntityManager) => rows<Pick<Row<'rounds'>, 'id' | 'end_time'>>(em)`
    select id, end_time from rounds r
    where status = 'active' and end_time > ${closesAfter} and end_time <= ${noticedFrom}
      and exists (select from webhooks where state = 'active' and 'ROUND_UNANSWERED' = any(kinds))
      and not exists (select from events where kind = 'ROUND_UNANSWERED' and round_id = r.id)`;
  if ((await due(newEm())).length === 0) return;
  await newEm().transactional(async (transaction) => {
    await rows(transaction)`select pg_advisory_xact_lock(${UNANSWERED_LOCK})`;
    const found = await due(transaction);
    const events = found.map(({ id, end_time: endTime }) => {
      const closesAt = new Date(endTime.getTime() - lockMs);
      return { kind: 'ROUND_UNANSWERED' as const, roundId: id, payload: { closesAt } };
    });
    await appendEvents(transaction, now, events);
  });
  bus.nudge();
}
