import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Limiter, ListedJob } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import { Agent, ReservedName } from '../entities/agent.ts';
import type { DB } from '../entities/tables.ts';
import { LIMITS, MAX_ID } from '../limits.ts';
import { wholeNumber } from '../http/parameters.ts';
import { nameKey } from '../rules/agents.ts';
import { MINUTE, SECOND } from '../rules/hours.ts';
import { serviceKeysOf } from '../transparency/service-keys.ts';
import { type Alarm, alarmsIn, sourcesDown } from './attention.ts';
import type { Observation } from './service-metrics.ts';

interface AdminListsDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly limiter: Pick<Limiter, 'countsNothing'>;
  readonly observe: () => Promise<Observation>;
  readonly jobs: () => Promise<readonly ListedJob[] | null>;
}

/** Operators' lists, with the field names of REST. */
export type AdminLists = ReturnType<typeof adminLists>;

const LISTED_ROUNDS = 30;
const LISTED_AGENTS = 20;

export function adminLists({ newEm, clock, limiter, observe, jobs }: AdminListsDeps) {
  const stuck = async (ms: number) => {
    const now = clock.now().getTime();
    const rounds = await newEm()
      .getKysely<DB>()
      .selectFrom('rounds')
      .select(['id', 'question', 'end_time', 'total_entries', 'attempts', 'last_tried_at', 'last_problem', 'try_after'])
      .where('status', '=', 'resolving')
      .where('end_time', '<=', new Date(now - ms))
      .orderBy('start_time')
      .execute();
    return rounds.map(({ id, question, end_time, ...rest }) => {
      const waiting_minutes = Math.floor((now - end_time.getTime()) / MINUTE);
      return { id, question, end_time, waiting_minutes, ...rest };
    });
  };
  return {
    /** Rounds without an outcome at least `ms` of service time after their hour, the oldest first. */
    stuck,
    /** Problems: waiting rounds with the reason, sources that are down, alarms. */
    async attention() {
      const seen = await observe();
      const rounds = 'database' in seen.unready ? [] : await stuck(0);
      const sources = sourcesDown(seen);
      const alarms: readonly Alarm[] = alarmsIn(seen);
      return { at: clock.now(), quiet: rounds.length + sources.length + alarms.length === 0, rounds, sources, alarms };
    },
    /** The newest rounds, with upcoming ones. */
    async rounds() {
      const rounds = newEm().getKysely<DB>().selectFrom('rounds').orderBy('start_time', 'desc').limit(LISTED_ROUNDS);
      return rounds
        .select(['id', 'start_time', 'question', 'status'])
        .select(({ fn }) => [fn.coalesce('outcome', 'void_reason').as('outcome'), 'total_entries'])
        .execute();
    },
    /** Without a search the newest agents; else first those with the name, former name or id, then names that begin so. */
    async agents(search: string) {
      const em = newEm();
      const newest = { orderBy: { id: 'desc' }, limit: LISTED_AGENTS } as const;
      const key = nameKey(search);
      if (key === '') return (await em.find(Agent, {}, newest)).map(agentRow);
      const former = await em.findOne(ReservedName, { nameKey: key });
      const ids = [former?.agentId, wholeNumber(search, { min: 1, max: MAX_ID })].filter((id) => id != null);
      const exact = await em.find(Agent, { $or: [{ nameKey: key }, { id: { $in: ids } }] });
      const beginning = { nameKey: { $like: `${key.replaceAll(/[\\%_]/g, String.raw`\$&`)}%` } };
      const found = new Set([...exact, ...(await em.find(Agent, beginning, newest))]);
      return [...found].slice(0, LISTED_AGENTS).map(agentRow);
    },
    /** A retired key signs beside the present one for a day. */
    async keys() {
      const keys = await serviceKeysOf(newEm());
      return keys.map(({ id, publicKey, createdAt, retiredAt }) => {
        const state = retiredAt === null ? 'present' : 'retired';
        return { id, state, public_key: publicKey, created_at: createdAt, retired_at: retiredAt };
      });
    },
    limits: () => ({
      counted: limiter.countsNothing !== true,
      limits: Object.entries(LIMITS).map(([name, { requests, windowMs, scope }]) => ({
        name,
        requests,
        window_seconds: windowMs / SECOND,
        by: scope === 'ip' ? 'address' : 'agent',
      })),
    }),
    /** The number of jobs in each queue, null if it does not respond, and unfinished jobs with their last errors. */
    async queues() {
      const [{ queues }, listed] = await Promise.all([observe(), jobs()]);
      return { queues, jobs: (listed ?? []).map(({ lastError, ...job }) => ({ ...job, last_error: lastError })) };
    },
    /** The newest actions with an id below `before`; `next` is the start of the next page, or null. */
    async audit(limit: number, before: number) {
      const earlier = newEm().getKysely<DB>().selectFrom('admin_actions').where('id', '<', before);
      const found = await earlier
        .select(['id', 'at', 'actor', 'action', 'round_id', 'agent_id', 'reason', 'result'])
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const actions = found.slice(0, limit);
      return { actions, next: found.length > limit ? (actions.at(-1)?.id ?? null) : null };
    },
  };
}

function agentRow({ id, name, mode, registeredAt, blockReason, removedAt }: Agent) {
  const state = removedAt != null ? 'removed' : blockReason != null ? 'blocked' : 'free';
  return { id, name, state, block_reason: blockReason ?? null, mode, registered_at: registeredAt };
}
