import type { IncomingMessage } from 'node:http';

import { type ForeignOrigin, foreignOrigins, isForwarded } from '../http/origins.ts';
import type { Opened } from '../feed/socket.ts';
import { type Context, contexts, type Services } from '../resolvers/context.ts';

interface CallersDeps {
  readonly services: Services;
  readonly corsOrigins: readonly string[];
  readonly isProxy: (address: string) => boolean;
  readonly ipOf: (request: IncomingMessage) => string;
}

export interface Callers {
  readonly foreignOrigin: ForeignOrigin;
  /** For counted requests: root fields count nothing. */
  readonly counted: (request: IncomingMessage) => Context;
  /** For requests whose root fields count themselves. */
  readonly uncounted: (request: IncomingMessage) => Context;
  readonly onSocket: (request: IncomingMessage) => Opened;
}

export function openCallers({ services, corsOrigins, isProxy, ipOf }: CallersDeps): Callers {
  const foreignOrigin = foreignOrigins({ allowed: corsOrigins, isProxy });
  const newContext = contexts(services);
  const contextOf = (request: IncomingMessage, alreadyCounted: boolean): Context =>
    newContext({
      ip: ipOf(request),
      isDirect: () => !isForwarded(request),
      authorization: request.headers.authorization,
      foreignOrigin: foreignOrigin(request),
      alreadyCounted,
    });
  return {
    foreignOrigin,
    counted: (request) => contextOf(request, true),
    uncounted: (request) => contextOf(request, false),
    onSocket: (request) => ({
      ip: ipOf(request),
      foreignOrigin: foreignOrigin(request),
      authorization: bearerOf(request),
    }),
  };
}

/** Browsers send a proxy's credentials by themselves: those are no failing key. */
function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return /^bearer /i.test(authorization ?? '') ? authorization : undefined;
}
