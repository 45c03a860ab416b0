import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { PartStatus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { LogFollower } from '../feed/event-log.ts';
import type { Market } from '../market/market.ts';
import { beforeDeadline, DeadlineExceeded, withDeadline } from '../deadline.ts';
import { SECOND } from '../rules/hours.ts';

interface ReadinessDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly market: Pick<Market, 'status'>;
  /** Null in a process that follows no feed. */
  readonly feed: Pick<LogFollower, 'lastSeq'> | null;
  readonly status: () => readonly PartStatus[];
}

/** A sentence that says why a part is not ready; null when it is. */
type Verdict = string | null;

export const PARTS = ['database', 'queue', 'feed', 'rounds', 'market'] as const;

export type Part = (typeof PARTS)[number];

/** What is not ready, and why; empty when all is. */
export type Unready = Readonly<Partial<Record<Part, string>>>;

/** How long the check of a part may take, in real milliseconds. */
const CHECK_MS = 2 * SECOND;
/** How long, in real milliseconds, the hour's turn and the way of an event may take. */
const GRACE_MS = 10 * SECOND;

const CHECKS: Readonly<Record<Part, (deps: ReadinessDeps) => Promise<Verdict>>> = {
  database: async ({ newEm }) => {
    await sql`select 1`.execute(newEm().getKysely());
    return null;
  },
  queue: async ({ status }) => {
    const down = status().find(({ part, up }) => part === 'queue' && !up);
    return down === undefined ? null : `The job queue (${down.driver}) does not answer.`;
  },
  feed: async (deps) => ((await missesEvents(deps)) ? 'The feed lags behind the event log.' : null),
  rounds: async (deps) => ((await hasCurrentRound(deps)) ? null : 'No round is active for the present hour.'),
  market: async ({ market }) =>
    market.status().some(({ state }) => state === 'up' || state === 'new')
      ? null
      : 'No source of prices answers at present.',
};

/** Checks the parts, all at once. One whose check fails is not ready. */
export async function unreadyParts(deps: ReadinessDeps, parts: readonly Part[] = PARTS): Promise<Unready> {
  const verdicts = await Promise.all(parts.map(async (part) => [part, await verdictOn(part, deps)] as const));
  return Object.fromEntries(verdicts.filter(([, verdict]) => verdict !== null));
}

/** Why the database does not answer is not for whoever asks: the requests that failed for it are logged. */
async function verdictOn(part: Part, deps: ReadinessDeps): Promise<Verdict> {
  try {
    return await withDeadline(CHECK_MS, () => beforeDeadline(CHECKS[part](deps)));
  } catch (error) {
    return error instanceof DeadlineExceeded
      ? `The check timed out after ${CHECK_MS / SECOND} s.`
      : 'The database does not answer.';
  }
}

/** Whether an event has stood in the log for a while that this process has not seen. */
async function missesEvents({ newEm, clock, feed }: ReadinessDeps): Promise<boolean> {
  if (feed === null) return false;
  const { rows } = await sql`
    select from events where seq > ${feed.lastSeq()} and at < ${graceAgo(clock)} limit 1`.execute(newEm().getKysely());
  return rows.length > 0;
}

/** A round that an operator declared void is the hour's round all the same. */
async function hasCurrentRound({ newEm, clock }: ReadinessDeps): Promise<boolean> {
  const { rows } = await sql`
    select from rounds where status in ('active', 'void') and start_time <= ${clock.now()}
      and end_time > ${graceAgo(clock)} limit 1`.execute(newEm().getKysely());
  return rows.length > 0;
}

function graceAgo(clock: Clock): Date {
  return new Date(clock.now().getTime() - GRACE_MS * clock.speed);
}
