import { type Backplane, reportingFaults } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { DatabasePools } from '../database/pools.ts';
import { openReads, type Reads } from '../database/reads.ts';
import { databaseLog } from '../feed/event-log.ts';
import { type LogFollower, openLogFollower } from '../feed/log-follower.ts';
import { startRelay } from '../feed/relayed-log.ts';
import { kindBoards } from '../jobs/boards/kind-boards.ts';
import { type Jobs, startJobs } from '../jobs/jobs.ts';
import type { Logger } from '../logger.ts';
import type { Market } from '../market/market.ts';
import type { OperatingDeps } from '../operating/operator-routes.ts';
import type { Services } from '../resolvers/context.ts';
import { coverage } from '../resolvers/own-limits.ts';
import { ENDPOINTS } from '../rest/endpoints.ts';
import { runningForecasts } from '../forecasts/running.ts';
import { referenceCache } from '../references/reference-cache.ts';
import { startQuoteRecorder } from '../references/quote-recorder.ts';
import { openCrowds } from '../reads/open-crowds.ts';
import { jsonReader } from '../reads/plan/read-column.ts';
import { agentsById } from '../resolvers/agents-by-id.ts';
import { submissionLookups } from '../resolvers/submission-lookups.ts';
import { keyLookup, openKnownKeys } from '../resolvers/keys.ts';
import { predictionWriter } from '../resolvers/prediction-writer.ts';
import { refusalCounts } from '../resolvers/refusals.ts';
import { lastRequests } from '../resolvers/last-requests.ts';
import { makeSchema } from '../resolvers/schema.ts';
import type { Witness } from '../transparency/notes.ts';
import { makeFirstKey } from '../transparency/service-keys.ts';
import { startOffering } from '../transparency/witnesses.ts';
import { startDelivering } from '../webhooks/delivering.ts';
import { type HttpDeps, type HttpSettings, openHttp, openOperatorHttp } from './open-http.ts';

export interface Parts {
  readonly pools: DatabasePools;
  readonly clock: Clock;
  /** Stopped by the service, before its jobs. */
  readonly prices: { readonly market: Market; stop(): Promise<void> };
  readonly backplane: Backplane;
  readonly randomBytes: (count: number) => Buffer;
  readonly log: Logger;
  readonly report: (error: unknown) => void;
  readonly reached: () => void;
  readonly serves: boolean;
  /** False: this process opens and closes rounds only when a request needs it. */
  readonly works: boolean;
  /** Cosign the log's checkpoints. */
  readonly witnesses: readonly Witness[];
  readonly keepMonths?: number | undefined;
  readonly settings: Pick<Services, 'keyPepper' | 'lockMs' | 'picks' | 'webhooks' | 'version'>;
  readonly http: HttpSettings;
  /** That of `picks`. Default: a new one. */
  readonly schema?: HttpDeps['schema'];
  readonly operating: Pick<OperatingDeps, 'adminToken' | 'processMetrics' | 'noticeMs'>;
}

/** Rounds of the service are up to date, and its server is not listening yet. */
export async function assemble(parts: Parts) {
  const { pools, clock, prices, backplane, works, settings, randomBytes, log, report, reached } = parts;
  const { market } = prices;
  const { bus, openQueue } = backplane;
  const newEm = pools.newEm.jobs;
  await using opened = new AsyncDisposableStack();
  const feed = await openLogFollower({ source: databaseLog(newEm), bus, report, reached });
  opened.defer(() => feed.stop());
  const { onEvents } = feed;
  // First, as the first turn may sign.
  await makeFirstKey(newEm(), { randomBytes, keyPepper: settings.keyPepper });
  const jobs = await startJobs({
    ...settings,
    newEm,
    market,
    clock,
    openQueue,
    works,
    randomBytes,
    keepMonths: parts.keepMonths,
    announce: bus.nudge,
    onEvents,
    log,
    report,
  });
  opened.defer(async () => {
    // First, so that no job waits for an exchange that hangs.
    await prices.stop();
    await jobs.close();
  });
  if (works && market.isLive) {
    const recorder = startQuoteRecorder({ newEm, market, clock, report });
    opened.defer(() => recorder.stop());
  }
  const { webhooks: reach } = settings;
  if (works && reach !== 'off') {
    const delivering = await startDelivering({ ...settings, reach, randomBytes, newEm, clock, bus, onEvents, report });
    opened.defer(() => delivering.stop());
  }
  if (works && backplane.relay !== null) {
    const { stream } = backplane.relay;
    const warn = (message: string): void => log.warn(message);
    const copying = { stream, newEm, feed, announce: bus.nudge, warn, report: reportingFaults(backplane, report) };
    const relay = await startRelay(copying);
    opened.defer(() => relay.stop());
  }
  if (works && parts.witnesses.length > 0) {
    const offering = startOffering({ witnesses: parts.witnesses, newEm, onEvents, report });
    opened.defer(() => offering.stop());
  }
  const reads = openReadsOf(parts, feed, opened);
  const operating = operatingDeps(parts, { feed, jobs, reads });
  const http = parts.serves
    ? await openHttp(httpDeps(parts, { operating, feed, jobs, reads }))
    : openOperatorHttp({ operating, settings: parts.http });
  opened.defer(() => http.close());
  const running = opened.move();
  return { http, jobs, feed, stop: () => running.disposeAsync() };
}

/** Reads that follow the commits of this process and those on the bus, until `opened` ends. */
function openReadsOf({ pools, backplane, log }: Parts, feed: LogFollower, opened: AsyncDisposableStack): Reads {
  const { bus } = backplane;
  return openReads(pools, {
    seenSeq: () => feed.lastSeq(),
    onCommit(listener) {
      opened.defer(bus.onChange(listener));
      opened.defer(bus.onNudge(listener));
    },
    warn: (message, err) => log.warn(err === undefined ? {} : { err }, message),
  });
}

interface StartedParts {
  readonly feed: LogFollower;
  readonly jobs: Jobs;
  readonly reads: Reads;
}

function httpDeps(parts: Parts, begun: StartedParts & { readonly operating: OperatingDeps }): HttpDeps {
  return {
    settings: parts.http,
    schema: parts.schema ?? makeSchema(parts.settings.picks),
    services: servicesOf(parts, begun),
    operating: begun.operating,
    feed: begun.feed,
    bus: parts.backplane.bus,
    relay: parts.backplane.relay,
    readExports: begun.reads.exports,
    exportsAtOnce: parts.pools.connections.exports,
    newFeedEm: parts.pools.newEm.feed,
  };
}

function servicesOf(parts: Parts, { jobs, reads }: Pick<StartedParts, 'jobs' | 'reads'>): Services {
  const { pools, clock, prices, backplane, settings, randomBytes } = parts;
  const { api, submissions, registrations } = pools.newEm;
  const references = referenceCache({ newEm: api, market: prices.market });
  const readJson = jsonReader(reads.statements);
  return {
    ...settings,
    newEm: api,
    read: reads.api,
    readJson,
    agentsById: agentsById(readJson),
    newSubmissionEm: submissions,
    newRegistrationEm: registrations,
    submissionLookups: submissionLookups(pools.statements, jobs.reconcile),
    keys: keyLookup(pools.statements.urgent),
    knownKeys: openKnownKeys(),
    requests: lastRequests(pools.statements.api, clock),
    clock,
    market: prices.market,
    limiter: backplane.limiter,
    covers: coverage(ENDPOINTS),
    writer: predictionWriter(pools.statements.submissions, clock, settings.lockMs),
    refusals: refusalCounts(pools.statements.api, clock),
    openCrowds: openCrowds(api),
    references,
    forecasts: runningForecasts({ newEm: api, references }),
    kindBoards: kindBoards({ newEm: api, newLongEm: pools.newEm.exports, announce: backplane.bus.nudge }),
    publish: backplane.bus.publish,
    reconcile: jobs.reconcile,
    randomBytes,
  };
}

function operatingDeps(parts: Parts, { feed, jobs, reads }: StartedParts): OperatingDeps {
  const { pools, clock, prices, backplane, randomBytes, log, report } = parts;
  return {
    ...parts.operating,
    newEm: pools.newEm.jobs,
    clock,
    market: prices.market,
    feed,
    limiter: backplane.limiter,
    backplane,
    queue: jobs.queue,
    pools: pools.use,
    reads,
    announce: backplane.bus.nudge,
    publish: backplane.bus.publish,
    keyPepper: parts.settings.keyPepper,
    randomBytes,
    log,
    report,
  };
}
