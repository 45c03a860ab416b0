import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Bus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { EventKind } from '../entities/event.ts';
import { lockUntilCommit } from '../entities/advisory-locks.ts';
import type { DB } from '../entities/tables.ts';
import { appendEvents } from '../feed/event-log.ts';
import { UNANSWERED_MS } from '../rules/webhooks.ts';

export interface AnnouncingDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  /** The time before its end at which a round stops accepting answers. */
  readonly lockMs: number;
  readonly bus: Pick<Bus, 'nudge'>;
}

const KIND = 'ROUND_UNANSWERED' as const;

/**
 * Logs once that the running round accepts answers for 15 more minutes, if a webhook subscribes to this event. As an event
 * it has a fixed position and id. Webhooks of agents that have answered skip it when it is sent.
 */
export async function announceUnanswered({ newEm, clock, lockMs, bus }: AnnouncingDeps): Promise<void> {
  const now = clock.now();
  const closesAfter = new Date(now.getTime() + lockMs);
  const noticedFrom = new Date(closesAfter.getTime() + UNANSWERED_MS);
  const due = (em: SqlEntityManager) =>
    em
      .getKysely<DB>()
      .selectFrom('rounds as r')
      .select(['r.id', 'r.end_time'])
      .where('r.status', '=', 'active')
      .where('r.end_time', '>', closesAfter)
      .where('r.end_time', '<=', noticedFrom)
      .where((is) => {
        const active = is.selectFrom('webhooks').where('state', '=', 'active');
        return is.exists(
          active.where((webhook) => webhook(webhook.val<EventKind>(KIND), '=', webhook.fn.any('kinds'))),
        );
      })
      .where((is) => {
        const logged = is.selectFrom('events').where('kind', '=', KIND);
        return is.not(is.exists(logged.whereRef('events.round_id', '=', 'r.id')));
      })
      .execute();
  if ((await due(newEm())).length === 0) return;
  await newEm().transactional(async (transaction) => {
    await lockUntilCommit(transaction, 'unanswered');
    const found = await due(transaction);
    const events = found.map(({ id, end_time: endTime }) => {
      const closesAt = new Date(endTime.getTime() - lockMs);
      return { kind: KIND, roundId: id, payload: { closesAt } };
    });
    await appendEvents(transaction, now, events);
  });
  bus.nudge();
}
