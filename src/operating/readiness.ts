import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { type Request, type Response, Router } from 'express';

import type { PartStatus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { DB } from '../entities/tables.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import type { Market } from '../market/market.ts';
import { beforeDeadline, DeadlineExceeded, withDeadline } from '../deadline.ts';
import { someOf } from '../http/parameters.ts';
import { addHours, SECOND } from '../rules/hours.ts';
import { refused } from '../rules/errors.ts';

interface ReadinessDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Clock;
  readonly market: Pick<Market, 'status'>;
  /** Null in a process without a feed. */
  readonly feed: Pick<LogFollower, 'lastSeq'> | null;
  readonly status: () => readonly PartStatus[];
}

/** The reason why a part is not ready, or null. */
type Verdict = string | null;

export const PARTS = ['database', 'queue', 'feed', 'rounds', 'market'] as const;

type Part = (typeof PARTS)[number];

/** The parts that are not ready, with the reason. */
export type UnreadyParts = Readonly<Partial<Record<Part, string>>>;

/** The timeout of a part's check, in real milliseconds. */
const CHECK_MS = 2 * SECOND;
/** The grace, in real milliseconds, for the turn of the hour and the arrival of an event. */
const GRACE_MS = 10 * SECOND;

const CHECKS: Readonly<Record<Part, (deps: ReadinessDeps) => Promise<Verdict>>> = {
  database: async ({ newEm }) => {
    await newEm().getKysely().selectNoFrom(sql.lit(1).as('one')).execute();
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

/** Checks the parts in parallel; a part is not ready if its check fails. */
export async function unreadyParts(deps: ReadinessDeps): Promise<UnreadyParts> {
  const verdicts = await Promise.all(PARTS.map(async (part) => [part, await verdictOn(part, deps)] as const));
  return Object.fromEntries(verdicts.filter(([, verdict]) => verdict !== null));
}

/** The database's error is not public; failed requests log it. */
async function verdictOn(part: Part, deps: ReadinessDeps): Promise<Verdict> {
  try {
    return await withDeadline(CHECK_MS, () => beforeDeadline(CHECKS[part](deps)));
  } catch (error) {
    return error instanceof DeadlineExceeded
      ? `The check timed out after ${CHECK_MS / SECOND} s.`
      : 'The database does not answer.';
  }
}

/** True if the log has an event that this process should have seen by now. */
async function missesEvents({ newEm, clock, feed }: ReadinessDeps): Promise<boolean> {
  if (feed === null) return false;
  const missed = newEm().getKysely<DB>().selectFrom('events').where('seq', '>', feed.lastSeq());
  return (await missed.select('seq').where('at', '<', graceAgo(clock)).limit(1).execute()).length > 0;
}

/** Includes a round that an operator declared void. */
async function hasCurrentRound({ newEm, clock }: ReadinessDeps): Promise<boolean> {
  const rounds = newEm().getKysely<DB>().selectFrom('rounds').where('status', 'in', ['active', 'void']);
  const current = rounds.where('start_time', '<=', clock.now()).where('start_time', '>', addHours(graceAgo(clock), -1));
  return (await current.select('id').limit(1).execute()).length > 0;
}

function graceAgo(clock: Clock): Date {
  return new Date(clock.now().getTime() - GRACE_MS * clock.speed);
}

interface ProbesDeps {
  readonly unready: () => Promise<UnreadyParts>;
  /** Null without a replica. */
  readonly replica: () => Promise<string | null>;
  readonly metrics: { readonly contentType: string; readonly text: () => Promise<string> };
  readonly isStopping: () => boolean;
  /** Called at each request for `/readyz`. */
  readonly onProbe: () => void;
}

export function probes(deps: ProbesDeps): Router {
  const router = Router({ caseSensitive: true });
  router.use(['/livez', '/readyz', '/metrics'], (_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/livez', (_request, response) => void response.json({ alive: true }));
  router.get('/readyz', (request, response) => sendReadiness(deps, request, response));
  router.get('/metrics', async (_request, response) => {
    response.type(deps.metrics.contentType).send(await deps.metrics.text());
  });
  return router;
}

async function sendReadiness(deps: ProbesDeps, request: Request, response: Response): Promise<void> {
  const excluded = excludedBy(request);
  deps.onProbe();
  const found = deps.isStopping()
    ? { process: 'This process is being stopped.' }
    : Object.fromEntries(Object.entries(await deps.unready()).filter(([part]) => !excluded.has(part)));
  const ready = Object.keys(found).length === 0;
  // Informational: while the replica is away the primary serves its reads.
  const replica = await deps.replica();
  response.status(ready ? 200 : 503).json({ ready, not_ready: found, ...(replica !== null && { replica }) });
}

/** `?exclude=market,queue`: parts that the caller ignores. */
function excludedBy({ query }: Request): ReadonlySet<string> {
  const { exclude } = query;
  if (exclude === undefined) return new Set();
  const named = typeof exclude === 'string' ? someOf(exclude, PARTS) : null;
  if (named !== null) return new Set(named);
  throw refused('exclude', `one or more of ${PARTS.join(', ')}, with commas and without spaces`, exclude);
}
