import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import { type Request, type Response, Router } from 'express';

import { withDeadline } from '../deadline.ts';
import { isObject, jsonValue } from '../http/bodies.ts';
import { sendErrors } from '../http/errors.ts';
import type { ForeignOrigin } from '../http/origins.ts';
import { rateLimitHeaders } from '../http/budget-headers.ts';
import { ANSWER_MS } from '../limits.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import type { Message, ProtocolDeps } from './protocol.ts';
import type { Caller } from './tool-calls.ts';

/** Where the Model Context Protocol is spoken. */
const PATH = '/mcp';
/** JSON-RPC's own code. */
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
  const protocol = lazily(deps);
  const answer = (request: Request, response: Response) => answerWith(protocol, deps, { request, response });
  router.route(PATH).post(answer).all(refuseMethod);
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
  await count(caller, response);
  const body = await jsonValue({ request, response });
  if (isObject(body)) {
    const answer = await protocol();
    await answer({ request, response, body, caller });
  } else response.status(400).json(notOneMessage(body));
}

/** Several at once would spend one budget of requests. Revisions of the protocol but 2025-03-26 have no batches either. */
function notOneMessage(body: unknown) {
  const given = Array.isArray(body) ? `a batch of ${body.length}` : quoted(body);
  const message = `Invalid Request: the body must be one JSON-RPC message, sent by itself (got ${withoutKeys(given)}).`;
  return { jsonrpc: '2.0', id: null, error: { code: INVALID_REQUEST, message } };
}

/** Counts the message. As every limited answer, this one says what is left of its budget; those of tools are apart. */
async function count(caller: Caller, response: Response): Promise<void> {
  const context = caller.forEndpoint();
  try {
    await withDeadline(ANSWER_MS, () => context.admit('graphqlRequest', PATH));
  } finally {
    response.set(rateLimitHeaders(context.allowance));
  }
}

type Protocol = (message: Message) => Promise<void>;

/** The SDK takes a quarter of a second to load, which a start must not wait for, nor who never needs it. */
function lazily(deps: McpDeps): () => Promise<Protocol> {
  let opened: Promise<Protocol> | undefined;
  return () =>
    (opened ??= import('./protocol.ts')
      .then(({ openProtocol }) => openProtocol(deps))
      .catch((error: unknown) => {
        // The next message tries anew: a file that could not be read once may be there again.
        opened = undefined;
        throw error;
      }));
}

/** Without sessions there is no stream to open with GET, and none to end with DELETE. */
function refuseMethod({ method }: Request, response: Response): never {
  response.set('Allow', 'POST');
  throw new DomainError('method_not_allowed', `${PATH} takes POST, not ${method}.`);
}

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
    'FORBIDDEN',
    `Over loopback the host must be localhost or a loopback address (got ${quoted(host)}); behind a proxy set TRUST_PROXY.`,
  );
}

function isLoopback(address: string): boolean {
  const plain = address.replace(/^::ffff:/, '');
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
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
