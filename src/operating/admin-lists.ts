import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Clock } from '../clock.ts';
import { AdminAction } from '../entities/admin-action.ts';
import { Round } from '../entities/round.ts';
import { MINUTE } from '../rules/hours.ts';

/** What operators read, with the names of REST. */
export interface AdminLists {
  /** Rounds whose hour ended at least `ms` of service time ago and that have no outcome yet, the oldest first. */
  stuck(ms: number): Promise<readonly object[]>;
  /** The newest actions first, those with an id below `before`; `next` is where the next page begins, or null. */
  audit(limit: number, before: number): Promise<{ readonly actions: readonly object[]; readonly next: number | null }>;
}

interface AdminListsDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
}

export function adminLists({ newEm, clock }: AdminListsDeps): AdminLists {
  return {
    async stuck(ms) {
      const now = clock.now().getTime();
      const where = { status: 'resolving', endTime: { $lte: new Date(now - ms) } } as const;
      const rounds = await newEm().find(Round, where, { orderBy: { startTime: 'asc' } });
      return rounds.map((round) => ({
        id: round.id,
        question: round.question,
        end_time: round.endTime,
        waiting_minutes: Math.floor((now - round.endTime.getTime()) / MINUTE),
        total_entries: round.totalEntries,
        attempts: round.attempts,
        last_tried_at: round.lastTriedAt ?? null,
        last_problem: round.lastProblem ?? null,
        try_after: round.tryAfter ?? null,
      }));
    },
    async audit(limit, before) {
      const rows = await newEm().find(
        AdminAction,
        { id: { $lt: before } },
        { orderBy: { id: 'desc' }, limit: limit + 1 },
      );
      const page = rows.slice(0, limit);
      return {
        actions: page.map(({ id, at, actor, action, roundId, agentId, reason, result }) => ({
          id,
          at,
          actor,
          action,
          round_id: roundId ?? null,
          agent_id: agentId ?? null,
          reason: reason ?? null,
          result,
        })),
        next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
      };
    },
  };
}
