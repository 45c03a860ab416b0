import type { IncomingMessage } from 'node:http';

import { type ForeignOrigin, foreignOrigins, isForwarded } from '../http/origins.ts';
import type { Opened } from '../feed/socket.ts';
import { type Context, contexts, type Services } from '../resolvers/context.ts';

interface CallersDeps {
  readonly services: Services;
  /** Origins beside the service's own whose pages may create and change. */
  readonly corsOrigins: readonly string[];
  readonly isProxy: (address: string) => boolean;
  readonly ipOf: (request: IncomingMessage) => string;
}

/** Who sends a request, and the context that it is answered in. */
export interface Callers {
  readonly foreignOrigin: ForeignOrigin;
  /** Of a request that was counted before: its root fields count nothing. */
  readonly counted: (request: IncomingMessage) => Context;
  /** Of a request whose root fields count themselves. */
  readonly uncounted: (request: IncomingMessage) => Context;
  /** Of what opens a socket, whose operations have contexts of their own. */
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

/** Browsers send a proxy's name and password by themselves: these are no key that fails. */
function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return /^bearer /i.test(authorization ?? '') ? authorization : undefined;
}
