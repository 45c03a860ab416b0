import type { IncomingMessage } from 'node:http';

import { type Request, type Response, Router } from 'express';

import { isObject, jsonValue } from '../http/bodies.ts';
import { refuseMethod, sendErrors } from '../http/errors.ts';
import type { ForeignOrigin } from '../http/origins.ts';
import { madeOnce } from '../in-flight.ts';
import { counted } from '../rest/streams.ts';
import { isLoopback } from '../rules/address-key.ts';
import { DomainError, type ErrorReason, quoted } from '../rules/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import type { Message, ProtocolDeps } from './protocol.ts';
import type { Caller } from './tool-calls.ts';

/** Where the Model Context Protocol is spoken. */
const PATH = '/mcp';
/** JSON-RPC's own codes. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

interface McpDeps extends ProtocolDeps {
  readonly callerOf: (request: IncomingMessage) => Caller;
  readonly foreignOrigin: ForeignOrigin;
  /** Whether the hop next to the service, by its address, is a trusted proxy. */
  readonly isProxy: (address: string) => boolean;
}

/**
 * `/mcp`, for agents of language models: streamable HTTP without sessions. What comes is looked at before its body is
 * read: where it goes to, which page it comes from, and the budget that requests for `/graphql` spend too.
 */
export function mcpRoutes(deps: McpDeps): Router {
  const router = Router({ caseSensitive: true });
  // The SDK takes a quarter of a second to load, which a start must not wait for, nor who never needs it.
  const protocol = madeOnce(async () => (await import('./protocol.ts')).openProtocol(deps));
  const answer = (request: Request, response: Response) => answerWith(protocol, deps, { request, response });
  // Without sessions there is no stream to open with GET, and none to end with DELETE.
  router.route(PATH).post(answer).all(refuseMethod('POST'));
  router.use(PATH, sendErrors(deps.report));
  return router;
}

async function answerWith(
  protocol: () => Promise<Protocol>,
  deps: McpDeps,
  { request, response }: Pick<Message, 'request' | 'response'>,
): Promise<void> {
  refuseMisdirected(request, deps);
  refusePages(request, deps);
  const caller = deps.callerOf(request);
  // The budgets of tools are apart.
  await counted(caller.forEndpoint(), { limit: 'graphqlRequest', asked: PATH }, response);
  const body = await jsonValue({ request, response }).catch(unparsed);
  if (body instanceof DomainError) response.status(400).json(refusal(PARSE_ERROR, `Parse error: ${body.message}`));
  else if (isObject(body)) {
    const answer = await protocol();
    await answer({ request, response, body, caller });
  } else response.status(400).json(notOneMessage(body));
}

/** Why a body is no JSON; throws whatever else is wrong with a request. */
function unparsed(error: unknown): DomainError {
  if (error instanceof DomainError && UNPARSED.includes(error.reason)) return error;
  throw error;
}

const UNPARSED: readonly ErrorReason[] = ['invalid_json', 'unreadable_request'];

/** Several at once would spend one budget of requests. Revisions of the protocol but 2025-03-26 have no batches either. */
function notOneMessage(body: unknown) {
  const given = Array.isArray(body) ? `a batch of ${body.length}` : quoted(body);
  const message = `Invalid Request: the body must be one JSON-RPC message, sent by itself (got ${withoutKeys(given)}).`;
  return refusal(INVALID_REQUEST, message);
}

function refusal(code: number, message: string) {
  return { jsonrpc: '2.0', id: null, error: { code, message } };
}

type Protocol = (message: Message) => Promise<void>;

/**
 * A name that a page has made to lead to this machine (DNS rebinding): who connects over loopback must also mean this
 * machine, unless a proxy that is trusted stands between.
 */
function refuseMisdirected(request: Request, { isProxy }: McpDeps): void {
  const { localAddress = '', remoteAddress = '' } = request.socket;
  if (!isLoopback(localAddress) || isProxy(remoteAddress)) return;
  const host = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? '';
  if (host === 'localhost' || host.endsWith('.localhost') || isLoopback(host.replaceAll(/[[\]]/g, ''))) return;
  throw new DomainError(
    'forbidden',
    `Over loopback the host must be localhost or a loopback address (got ${quoted(host)}); behind a proxy set TRUST_PROXY.`,
  );
}

/** The protocol is for programs: pages of other origins have REST and GraphQL, which know what is open to them. */
function refusePages(request: Request, { foreignOrigin }: McpDeps): void {
  const origin = foreignOrigin(request);
  if (origin === undefined) return;
  throw new DomainError(
    'foreign_origin',
    `Pages of the origin ${quoted(origin)} may not use ${PATH}; its operator can list the origin in CORS_ORIGINS.`,
  );
}
