import { LRUCache } from 'lru-cache';

import { batcher } from '../batching.ts';
import type { Clock } from '../clock.ts';
import { statement, type Statements } from '../database/statements.ts';
import { lapseTime } from '../rules/default-answers.ts';

/** Records an agent's requests, once an hour each, so that its standing predictions do not lapse. */
export interface LastRequests {
  readonly note: (agentId: number) => void;
}

const MAX_NOTED = 50_000;
const MAX_IN_A_STATEMENT = 500;

const MOVE_ON = statement<[]>({
  name: 'standing-requests',
  text: `update standing_agents set lapses_at = $2 where agent_id = any($1::int[]) and lapses_at < $2 and lapses_at > $3`,
});

/** Runs in the background; after a failure the agent's next request tries again. */
export function lastRequests(statements: Statements, clock: Pick<Clock, 'now'>): LastRequests {
  const noted = new LRUCache<number, number>({ max: MAX_NOTED });
  const { add } = batcher({
    inFlight: 1,
    delayToNextTick: true,
    max: MAX_IN_A_STATEMENT,
    run: async (agents: readonly number[]) => {
      const now = clock.now();
      await statements.rows(MOVE_ON, [agents, lapseTime(now), now]);
      return agents;
    },
  });
  return {
    note(agentId) {
      const until = lapseTime(clock.now()).getTime();
      if (noted.get(agentId) === until) return;
      noted.set(agentId, until);
      add(agentId).catch(() => noted.delete(agentId));
    },
  };
}
