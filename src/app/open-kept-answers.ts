import type { IncomingMessage } from 'node:http';

import type { Express } from 'express';

import type { Bus, Change } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { LogFollower } from '../feed/event-log.ts';
import { type KeptAnswers, keptAnswers, type KeptBounds, type Versions } from '../http/kept-answers.ts';
import { publicHeaders } from '../http/origins.ts';
import type { Counted } from '../http/counted.ts';
import type { QuickListener } from '../http/server.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { Market } from '../market/market.ts';
import { type PresumedAgent, quickAnswers } from '../rest/quick-answers.ts';
import { SECOND } from '../rules/hours.ts';

interface VersionsDeps {
  readonly bus: Pick<Bus, 'onNudge' | 'onChange'>;
  readonly feed: Pick<LogFollower, 'onEvents'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly market: Pick<Market, 'quotes'>;
}

interface KeptAnswersDeps extends VersionsDeps {
  readonly app: Express;
  readonly watch: RequestWatch;
  readonly counted: Counted;
  readonly presumed: (request: IncomingMessage) => PresumedAgent | null;
  readonly report: (error: unknown) => void;
  readonly keeping?: Partial<KeptBounds> | undefined;
}

/** The answers that are kept ready, and what sends them before Express sees the request. `stop` ends the listening. */
export interface ReadyAnswers {
  readonly kept: KeptAnswers;
  readonly quick: QuickListener;
  readonly stop: () => void;
}

/** ETags are the ones that Express would send. */
export function openKeptAnswers({ app, keeping, ...deps }: KeptAnswersDeps): ReadyAnswers {
  const versions = answerVersions(deps);
  const etagOf = app.get('etag fn');
  const kept = keptAnswers({ versions, etagOf, bounds: keeping });
  const quick = quickAnswers({ ...deps, kept, etagOf, headers: publicHeaders() });
  return { kept, quick, stop: versions.stop };
}

/**
 * What answers depend on, as this process knows it. A nudge comes after the commit, at once in the process that commits: an
 * answer made after it reads the database, not the log that is still being followed. `stop` ends the listening.
 */
function answerVersions({ bus, feed, clock, market }: VersionsDeps): Versions & { readonly stop: () => void } {
  let events = 0;
  const changes: Record<Change, number> = { entries: 0, agents: 0 };
  const grown = (): void => {
    events += 1;
  };
  const leaving = [
    bus.onNudge(grown),
    // Events whose nudge was lost are found by looking.
    feed.onEvents(grown),
    bus.onChange((change) => {
      changes[change] += 1;
    }),
  ];
  return {
    events: () => events,
    entries: () => changes.entries,
    agents: () => changes.agents,
    prices: () => market.quotes(clock.now()),
    second: () => secondOf(clock.now()),
    stop: () => {
      for (const leave of leaving) leave();
    },
  };
}

/** Different for each whole second and for the time between two: what ends at a whole second is over at its first instant. */
function secondOf(now: Date): number {
  const seconds = now.getTime() / SECOND;
  return Math.floor(seconds) + Math.ceil(seconds);
}
