import type { IncomingMessage } from 'node:http';

import { foreignOrigins, isForwarded } from '../http/origins.ts';
import type { SocketHandshake } from '../feed/peer.ts';
import { type Context, contexts, type Services } from '../resolvers/context.ts';

interface CallersDeps {
  readonly services: Services;
  readonly corsOrigins: readonly string[];
  readonly isProxy: (address: string) => boolean;
  readonly ipOf: (request: IncomingMessage) => string;
}

export type Callers = ReturnType<typeof openCallers>;

export function openCallers({ services, corsOrigins, isProxy, ipOf }: CallersDeps) {
  const foreignOrigin = foreignOrigins({ allowed: corsOrigins, isProxy });
  const newContext = contexts(services);
  const contextOf = (request: IncomingMessage, { alreadyCounted = false, isKeyless = false }): Context =>
    newContext({
      ip: ipOf(request),
      isDirect: () => !isForwarded(request),
      authorization: isKeyless ? undefined : request.headers.authorization,
      foreignOrigin: foreignOrigin(request),
      alreadyCounted,
    });
  return {
    foreignOrigin,
    /** For counted requests: root fields count nothing. */
    counted: (request: IncomingMessage) => contextOf(request, { alreadyCounted: true }),
    /** For requests whose root fields count themselves. */
    uncounted: (request: IncomingMessage) => contextOf(request, {}),
    /** As `uncounted`, for answers that caches may share: without the caller's key. */
    keyless: (request: IncomingMessage) => contextOf(request, { isKeyless: true }),
    onSocket: (request: IncomingMessage): SocketHandshake => ({
      ip: ipOf(request),
      foreignOrigin: foreignOrigin(request),
      authorization: bearerOf(request),
    }),
  };
}

/** Browsers add a proxy's Basic credentials to each request: these do not count as an invalid key. */
export function bearerOf({ headers: { authorization } }: IncomingMessage): string | undefined {
  return /^bearer /i.test(authorization ?? '') ? authorization : undefined;
}
