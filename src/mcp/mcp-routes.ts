import type { IncomingMessage } from 'node:http';

import { type Request, type Response, Router } from 'express';

import { isObject, jsonValue } from '../http/bodies.ts';
import { refuseMethod, sendErrors } from '../http/errors.ts';
import type { ForeignOrigin } from '../http/origins.ts';
import { madeOnce } from '../in-flight.ts';
import { countRequest } from '../rest/streams.ts';
import { isLoopback } from '../rules/address-key.ts';
import { DomainError, type ErrorReason, quoted } from '../rules/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import type { Message, ProtocolDeps } from './protocol.ts';
import type { Caller } from './tool-calls.ts';

const PATH = '/mcp';
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

interface McpDeps extends ProtocolDeps {
  readonly callerOf: (request: IncomingMessage) => Caller;
  readonly foreignOrigin: ForeignOrigin;
  readonly isProxy: (address: string) => boolean;
}

/** Streamable HTTP without sessions. Target, origin and budget are checked before the body is read. */
export function mcpRoutes(deps: McpDeps): Router {
  const router = Router({ caseSensitive: true });
  // The SDK loads slowly, and many services never need it.
  const protocol = madeOnce(async () => (await import('./protocol.ts')).openProtocol(deps));
  const answer = (request: Request, response: Response) => answerWith(protocol, deps, { request, response });
  // Without sessions there is no stream to open with GET or to end with DELETE.
  router.route(PATH).post(answer).all(refuseMethod('POST'));
  router.use(PATH, sendErrors(deps.report));
  return router;
}

async function answerWith(
  protocol: () => Promise<(message: Message) => Promise<void>>,
  deps: McpDeps,
  { request, response }: Pick<Message, 'request' | 'response'>,
): Promise<void> {
  refuseMisdirected(request, deps);
  refusePages(request, deps);
  const caller = deps.callerOf(request);
  // Tools have their own budgets.
  await countRequest(caller.forEndpoint(), { limit: 'graphqlRequest', endpoint: PATH }, response);
  const body = await jsonValue({ request, response }).catch(unparsed);
  if (body instanceof DomainError) response.status(400).json(refusal(PARSE_ERROR, `Parse error: ${body.message}`));
  else if (isObject(body)) {
    const answer = await protocol();
    await answer({ request, response, body, caller });
  } else response.status(400).json(notOneMessage(body));
}

function unparsed(error: unknown): DomainError {
  if (error instanceof DomainError && UNPARSED.includes(error.reason)) return error;
  throw error;
}

const UNPARSED: readonly ErrorReason[] = ['invalid_json', 'unreadable_request'];

/** A batch would spend one request's budget. Only revision 2025-03-26 of the protocol has batches. */
function notOneMessage(body: unknown) {
  const given = Array.isArray(body) ? `a batch of ${body.length}` : quoted(body);
  const message = `Invalid Request: the body must be one JSON-RPC message, sent by itself (got ${withoutKeys(given)}).`;
  return refusal(INVALID_REQUEST, message);
}

function refusal(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

/** DNS rebinding: connections over loopback must name this machine, unless a trusted proxy is in between. */
function refuseMisdirected(request: Request, { isProxy }: McpDeps): void {
  const { localAddress = '', remoteAddress = '' } = request.socket;
  if (!isLoopback(localAddress) || isProxy(remoteAddress)) return;
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replaceAll(/[[\]]/g, ''))) return;
  throw new DomainError(
    'forbidden',
    `On loopback, the host must be localhost or a loopback address (got ${quoted(host)}); behind a proxy set TRUST_PROXY.`,
  );
}

function refusePages(request: Request, { foreignOrigin }: McpDeps): void {
  const origin = foreignOrigin(request);
  if (origin === undefined) return;
  throw new DomainError(
    'foreign_origin',
    `Pages of the origin ${quoted(origin)} may not use ${PATH}; the operator of this service can add the origin to CORS_ORIGINS.`,
  );
}
