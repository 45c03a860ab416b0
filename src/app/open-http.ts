import type { IncomingMessage, Server } from 'node:http';

import express, { type Express } from 'express';
import proxyAddress from 'proxy-addr';

import { countShares } from '../feed/bounds.ts';
import { CONNECTIONS_PER_ADDRESS } from '../limits.ts';
import { asksForWebSocket } from '../feed/socket-server.ts';
import { noSuchPath, sendErrors } from '../http/errors.ts';
import { type OperatingDeps, type OperatorRoutes, operatorRoutes } from '../operating/operator-routes.ts';
import { closeServer, openServer, type ServerTimeouts } from '../http/server.ts';
import type { Handler } from '../http/exchange.ts';
import { mountRoutes, type RoutesDeps } from './mount-routes.ts';
import { type AnswersDeps, openAnswers } from './open-answers.ts';
import { openCallers } from './open-callers.ts';
import { type ExecutingDeps, type LiveDeps, openLive, openSubscriptions } from './open-live.ts';

export interface HttpSettings
  extends Pick<AnswersDeps, 'keeping' | 'deprecations'>, Pick<LiveDeps, 'intervals' | 'connectionsPerAddress'> {
  readonly trustProxy: boolean | number | string;
  readonly corsOrigins: readonly string[];
  readonly timeouts?: Partial<ServerTimeouts> | undefined;
  readonly exporting?: { readonly longestMs?: number } | undefined;
}

interface OperatorHttpDeps {
  readonly operating: OperatingDeps;
  readonly settings: Pick<HttpSettings, 'trustProxy' | 'timeouts'>;
}

export interface HttpDeps
  extends
    OperatorHttpDeps,
    Pick<AnswersDeps, 'bus'>,
    Pick<LiveDeps, 'schema' | 'feed'>,
    Pick<ExecutingDeps, 'services' | 'newFeedEm' | 'relay'>,
    Pick<RoutesDeps, 'readExports' | 'exportsAtOnce'> {
  readonly settings: HttpSettings;
}

export async function openHttp(deps: HttpDeps) {
  const { trustProxy, corsOrigins, timeouts, exporting, intervals, connectionsPerAddress, ...answering } =
    deps.settings;
  const operator = operatorRoutes(deps.operating, () => live.subscribers());
  const { requests, report } = operator;
  const { app, isProxy, ipOf, etagOf } = openExpress(trustProxy, operator);
  const callers = openCallers({ services: deps.services, corsOrigins, isProxy, ipOf });
  const answers = await openAnswers({ ...deps, ...answering, callers, requests, etagOf, report });
  const server = openServerFor(app, { handler: answers.handler, isProxy, operator, timeouts });
  const { documents } = answers;
  const executions = openSubscriptions({ ...deps, documents });
  const live = openLive(server, {
    ...deps,
    ...executions.live,
    clock: deps.services.clock,
    limiter: deps.services.limiter,
    documents,
    callerOf: callers.onSocket,
    intervals,
    connectionsPerAddress,
    report,
  });
  mountRoutes(app, {
    ...deps,
    answers,
    callers,
    isProxy,
    eventStream: live.eventStream,
    longestExportMs: exporting?.longestMs,
    report,
  });
  const close = async (): Promise<void> => {
    const closed = closeServer(server, operator.markNotReady);
    await closed.begun;
    await live.close();
    await executions.stop();
    await closed.ended;
    // Callers that left do not end their submissions.
    await deps.services.writer.settled();
    await answers.stop();
  };
  return { server, close };
}

export function openOperatorHttp({ operating, settings }: OperatorHttpDeps) {
  const { trustProxy, timeouts } = settings;
  const operator = operatorRoutes(operating);
  const { app, isProxy } = openExpress(trustProxy, operator);
  const server = openServerFor(app, { isProxy, operator, timeouts });
  app.use(noSuchPath);
  app.use(sendErrors(operator.report));
  return { server, close: () => closeServer(server, operator.markNotReady).ended };
}

export function openExpress(trustProxy: HttpSettings['trustProxy'], operator: OperatorRoutes) {
  const app = express().disable('x-powered-by').set('trust proxy', trustProxy).set('query parser', 'simple');
  app.use(...operator.routes);
  const trust: (address: string, hop: number) => boolean = app.get('trust proxy fn');
  const isProxy = (address: string): boolean => trust(address, 0);
  // Forwarded addresses are not parsed unless the peer is trusted.
  const ipOf = (request: IncomingMessage): string => {
    const peer = request.socket.remoteAddress ?? '';
    return isProxy(peer) ? proxyAddress(request, trust) : peer;
  };
  return { app, isProxy, ipOf, etagOf: app.get('etag fn') };
}

interface ServerParts extends Pick<HttpSettings, 'timeouts'> {
  readonly handler?: Handler;
  readonly isProxy: (address: string) => boolean;
  readonly operator: OperatorRoutes;
}

export function openServerFor(app: Express, { handler, isProxy, operator, timeouts }: ServerParts): Server {
  return openServer({
    handler,
    listener: app,
    isProxy,
    timeouts,
    connections: countShares(CONNECTIONS_PER_ADDRESS),
    upgrades: asksForWebSocket,
    onUnreadable: operator.onUnreadable,
  });
}
