import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

import { type EventStream, reportingFaults } from '../backplane/backplane.ts';
import { noLimiter } from '../backplane/local.ts';
import { openRedisBackplane } from '../backplane/redis/backplane.ts';
import { clockFrom, steadyMs } from '../clock.ts';
import type { Config } from '../config.ts';
import { openLogFollower } from '../feed/event-log.ts';
import { asking } from '../feed/questions.ts';
import { parsedHead, relayedLog } from '../feed/relayed-log.ts';
import { checkPort } from '../http/server.ts';
import { StartError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { openFeedHttp } from './open-feed-http.ts';
import type { Starting } from './open-database.ts';

const LOST =
  'Redis is out of reach: until it is back subscribers get no events, and limits are counted in this process alone';
const NEW_LOG =
  'Another log has begun, as after a restored backup or with another clock: this process stops, and its subscribers begin anew';
const NO_LOG = 'Redis has no copy of the event log yet: waiting for a process with ROLE=worker or ROLE=all';
const LOOK_AGAIN_MS = SECOND / 2;
/** The feed reads the log every 2 s. */
const SILENT_MS = 10 * SECOND;

/** Opens a process that serves sockets and event streams from Redis, without a database. */
export async function openFeed(config: Config, { log, opened, signal }: Starting) {
  if (config.redis === null) throw new StartError('REDIS_URL must be set with ROLE=feed');
  await checkPort(config);
  const warn = (message: string, fields: object = {}): void => log.warn(fields, message);
  const logError = (error: unknown): void => log.error({ err: error }, 'Something failed');
  const processId = randomBytes(8).toString('hex');
  const backplane = await openRedisBackplane(config.redis, { processId, report: logError, warn }, LOST);
  const report = reportingFaults(backplane, logError);
  opened.defer(() => backplane.close());
  const { bus, relay } = backplane;
  const text = await headOf(relay.stream, { log, signal });
  const { epoch, clock: anchor } = parsedHead(text);
  const clock = clockFrom(anchor);
  const questions = asking(relay.ask);
  let readAt = steadyMs();
  const stopOnce = onNewHead(() => log.warn(NEW_LOG));
  const source = relayedLog({ stream: relay.stream, head: { text, epoch }, onNewHead: stopOnce, end: questions.end });
  const feed = await openLogFollower({ source, bus, report, reached: () => void (readAt = steadyMs()) });
  opened.defer(() => feed.stop());
  const http = openFeedHttp(config, {
    clock,
    feed,
    limiter: config.rateLimits ? backplane.limiter : noLimiter,
    status: () => backplane.status(),
    isSilent: () => steadyMs() - readAt > SILENT_MS,
    questions,
    randomBytes,
    log,
    report,
  });
  opened.defer(() => http.close());
  return { server: http.server, prices: null };
}

/** Waits until a worker has copied the log. */
async function headOf(stream: EventStream, { log, signal }: Pick<Starting, 'log' | 'signal'>): Promise<string> {
  for (let looks = 1; ; looks += 1) {
    const text = await stream.head().catch(() => null);
    if (text !== null) return text;
    if (looks === 1) log.info(NO_LOG);
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
