import type { IncomingMessage } from 'node:http';

import type { Request } from 'express';
import { GraphQLError, OperationTypeNode } from 'graphql';

import type { Limiter, PartStatus } from '../backplane/backplane.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { NO_DATABASE } from '../feed/operation.ts';
import type { remoteCaller } from '../feed/remote-calls.ts';
import { LogUnavailable } from '../feed/relayed-log.ts';
import { costMeter } from '../graphql/cost.ts';
import { documentChecks, type DocumentTransport } from '../graphql/document-transport.ts';
import { openDocuments } from '../graphql/documents.ts';
import { errorFormatter } from '../graphql/errors.ts';
import { sendErrors } from '../http/errors.ts';
import { foreignOrigins, openToAllOrigins } from '../http/origins.ts';
import { closeServer } from '../http/server.ts';
import { processMetrics } from '../operating/metrics.ts';
import { type ProbeDeps, probeRoutes } from '../operating/operator-routes.ts';
import type { LimitName } from '../limits.ts';
import { admit } from '../resolvers/admission.ts';
import { OWN_FIELDS } from '../resolvers/agents.ts';
import { openKnownKeys } from '../resolvers/keys.ts';
import { makeSchema } from '../resolvers/schema.ts';
import { sealedOwnFields } from '../resolvers/sealed-picks.ts';
import { streamRouter } from '../rest/streams.ts';
import { DomainError } from '../rules/errors.ts';
import { bearerOf } from './open-callers.ts';
import { openExpress, openServerFor } from './open-http.ts';
import { openLive } from './open-live.ts';

interface FeedHttpDeps extends Pick<ProbeDeps, 'randomBytes' | 'log' | 'report'> {
  readonly clock: Clock;
  readonly feed: LogFollower;
  readonly limiter: Limiter;
  readonly status: () => readonly PartStatus[];
  /** True if the log could not be read for some time. */
  readonly isSilent: () => boolean;
  readonly remote: ReturnType<typeof remoteCaller>;
}

type FeedConfig = Pick<Config, 'picks' | 'corsOrigins' | 'trustProxy'>;

const TRY_AGAIN_SECONDS = 2;

/** Subscriptions on /graphql, /api/events, and probes. */
export function openFeedHttp({ picks, corsOrigins, trustProxy }: FeedConfig, deps: FeedHttpDeps) {
  const { clock, feed, limiter, remote } = deps;
  const operator = probeRoutes({
    ...deps,
    processMetrics: processMetrics(),
    replica: async () => null,
    unready: async () => (deps.isSilent() ? { feed: 'The event log in Redis cannot be read.' } : {}),
    subscribers: () => live.subscribers(),
    observe: async (found) => ({
      ...found,
      clock,
      feed,
      shared: deps.status(),
      rounds: null,
      queues: null,
      pools: {},
      replica: null,
      market: { status: () => [] },
    }),
  });
  const { report } = operator;
  const { app, isProxy, ipOf } = openExpress(trustProxy, operator);
  const foreignOrigin = foreignOrigins({ allowed: corsOrigins, isProxy });
  const callerOf = (request: IncomingMessage) => ({ ip: ipOf(request), foreignOrigin: foreignOrigin(request) });
  const schema = makeSchema(picks);
  const newContext = callersWithoutKey(limiter);
  const server = openServerFor(app, { isProxy, operator });
  const live = openLive(server, {
    schema,
    clock,
    feed,
    limiter,
    documents: {
      check: subscriptionsOnly(documentChecks(openDocuments(schema, costMeter(schema)))),
      format: errorFormatter(report),
    },
    callerOf: (request) => ({ ...callerOf(request), authorization: bearerOf(request) }),
    checksKeys: false,
    ownFields: new Set([...OWN_FIELDS, ...sealedOwnFields(picks)]),
    newContext,
    newExecutionContext: newContext,
    elsewhere: remote.execute,
    countEntries: remote.countEntries,
    report,
  });
  app.use(openToAllOrigins());
  const streaming = {
    refuse: refuseElsewhere,
    newContext: (request: Request) => newContext(callerOf(request)),
    report,
  };
  const { answer } = live.eventStream;
  const eventStream = {
    ...live.eventStream,
    answer: (...given: Parameters<typeof answer>) => answer(...given).catch(asRefusal),
  };
  app.use(streamRouter([eventStream], streaming));
  app.use(sendErrors(report));
  const close = async (): Promise<void> => {
    const closed = closeServer(server, operator.markNotReady);
    await closed.begun;
    await live.close();
    await closed.ended;
  };
  return { server, close };
}

function subscriptionsOnly(check: DocumentTransport['check']): DocumentTransport['check'] {
  return (sent) => {
    const checked = check(sent);
    const isOther = 'operation' in checked && checked.operation.type !== OperationTypeNode.SUBSCRIPTION;
    return isOther ? [new GraphQLError(NO_DATABASE)] : checked;
  };
}

/** A socket is closed instead: its client reconnects by itself. */
function asRefusal(cause: unknown): never {
  if (!(cause instanceof LogUnavailable)) throw cause;
  const message = 'The event log cannot be read at present; try again shortly.';
  throw new DomainError('unavailable', message, { cause, retryAfter: TRY_AGAIN_SECONDS });
}

function refuseElsewhere({ method, path }: Request): never {
  throw new DomainError(
    'unknown_path',
    `This process has /api/events and subscriptions on /graphql: send ${method} ${path} to a process with ROLE=api.`,
  );
}

const NOBODY = { keyHash: null, viewer: async () => null };

/** Callers whose keys are not read: only addresses have budgets. */
function callersWithoutKey(limiter: Limiter) {
  const services = { limiter, knownKeys: openKnownKeys() };
  return ({ ip, foreignOrigin }: { readonly ip: string; readonly foreignOrigin: string | undefined }) => {
    const caller = { ip, foreignOrigin, authorization: undefined };
    const asker = { ...NOBODY, caller, services, allowance: null, prepaid: [] };
    return {
      viewer: NOBODY.viewer,
      admit: (limit: LimitName, endpoint?: string, uses?: number) => admit(asker, { limit, endpoint, uses }),
      get allowance() {
        return asker.allowance;
      },
    };
  };
}
