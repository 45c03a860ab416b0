import { setTimeout as wait } from 'node:timers/promises';

import { RelayClosed, reportingFaults } from '../backplane/backplane.ts';
import { openFeedParts } from '../backplane/open-backplane.ts';
import { clockFrom, steadyMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { openLogFollower } from '../feed/log-follower.ts';
import { remoteCaller } from '../feed/remote-calls.ts';
import { LogUnavailable, readLogHead, relayedLog } from '../feed/relayed-log.ts';
import { checkPort } from '../http/server.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { openFeedHttp } from './open-feed-http.ts';
import type { StartContext } from './open-database.ts';

const LOST =
  'Redis is out of reach: until it is back subscribers get no events, and limits are counted in this process alone';
const NEW_LOG = 'Another log has begun, as after a restored backup: this process stops, and its subscribers begin anew';
const NO_LOG = 'Redis has no copy of the event log yet: waiting for a process with ROLE=worker or ROLE=all';
const LOOK_AGAIN_MS = SECOND / 2;
/** The feed reads the log every 2 s. */
const SILENT_MS = 10 * SECOND;

/** Opens a process that serves sockets and event streams from Redis, without a database. */
export async function openFeed(config: Config, { log, opened, signal, processId, randomBytes }: StartContext) {
  const { redis, rateLimits } = config;
  if (redis === null) throw new StartError('REDIS_URL must be set with ROLE=feed');
  await checkPort(config);
  const warn = (message: string, fields: object = {}): void => log.warn(fields, message);
  const logError = (error: unknown): void => log.error({ err: error }, 'Something failed');
  const backplane = await openFeedParts({ redis, rateLimits, processId, report: logError, warn, lost: LOST });
  const reportFault = reportingFaults(backplane, logError);
  opened.defer(() => backplane.close());
  const { bus, relay } = backplane;
  const remote = remoteCaller(relay.call);
  let readAt = steadyMs();
  let isAbsent = false;
  const reached = (): void => {
    readAt = steadyMs();
    isAbsent = false;
  };
  const report = (error: unknown): void => {
    const cause = error instanceof LogUnavailable ? error.cause : error;
    if (cause instanceof RelayClosed) return;
    if (cause !== undefined) reportFault(cause);
    else {
      if (!isAbsent) log.warn(NO_LOG);
      isAbsent = true;
    }
  };
  const stopOnce = onNewHead(() => log.warn(NEW_LOG));
  const open = async () => {
    const head = await readLogHead(relay.stream);
    const source = relayedLog({ stream: relay.stream, head, onNewHead: stopOnce, end: remote.end });
    return { head, feed: await openLogFollower({ source, bus, report, reached }) };
  };
  const { head, feed } = await whenCopied(open, { report, signal });
  opened.defer(() => feed.stop());
  const http = openFeedHttp(config, {
    clock: clockFrom(head.clock),
    feed,
    limiter: backplane.limiter,
    status: () => backplane.status(),
    isSilent: () => steadyMs() - readAt > SILENT_MS,
    remote,
    randomBytes,
    log,
    report,
  });
  opened.defer(() => http.close());
  // Sockets wait for their calls.
  opened.defer(() => relay.stopCalling());
  return { server: http.server, prices: null };
}

/** Waits until a worker has copied the log. */
async function whenCopied<Opened>(
  open: () => Promise<Opened>,
  { report, signal }: Pick<StartContext, 'signal'> & { readonly report: (error: unknown) => void },
): Promise<Opened> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof LogUnavailable)) throw error;
      report(error);
    }
    await wait(LOOK_AGAIN_MS, null, { signal });
  }
}

/** Ends the process in order, once. */
function onNewHead(warn: () => void): () => void {
  let isStopping = false;
  return () => {
    if (isStopping) return;
    isStopping = true;
    warn();
    process.kill(process.pid, 'SIGTERM');
  };
}
