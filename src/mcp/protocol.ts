import { toNodeHandler } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { Request, Response } from 'express';

import { errorBody } from '../http/errors.ts';
import { withoutKeys } from '../rules/keys.ts';
import { type Resource, RESOURCES } from './resources.ts';
import { type CallDeps, type Caller, callTool, readable } from './tool-calls.ts';
import { type InputSchema, inputSchemaOf } from './tool-inputs.ts';
import { TOOLS } from './tools.ts';

/** What the protocol is spoken with. */
export interface ProtocolDeps extends CallDeps {
  /** The service's own. */
  readonly version: string;
}

/** One message of a client, its body read. */
export interface Message {
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
  readonly caller: Caller;
}

/** There is no stream that could tell of a change of the lists, and they change with the service's version alone. */
const UNCHANGING = { listChanged: false };

const INSTRUCTIONS =
  'An hourly forecasting arena: every UTC hour one question about crypto prices, answered once with a confidence in percent. Call current_round, look at market, then predict; the resource hourcast://rules says what earns what. Predictions need the key of an agent, sent by the client as the header "Authorization: Bearer pk_live_...".';

/**
 * Answers messages of both generations of the protocol, each by itself: nothing is kept between two of them, so that any
 * process of a service can answer any.
 */
export function openProtocol(deps: ProtocolDeps): (message: Message) => Promise<void> {
  const inputs = new Map(TOOLS.map(({ name, ...tool }) => [name, inputSchemaOf({ name, ...tool }, deps.table)]));
  return async ({ request, response, body, caller }) => {
    const handler = createMcpHandler(() => serverFor(caller, inputs, deps), {
      // There is nothing to subscribe to: live events are GraphQL's and /api/events'.
      maxSubscriptions: 0,
      keepAliveMs: 0,
    });
    const fetch: typeof handler.fetch = async (...asked) => withoutGivenKeys(await handler.fetch(...asked));
    await toNodeHandler({ fetch }, { onerror: deps.report })(request, response, body);
  };
}

/** The SDK's sentences repeat what they were given, in the message or its headers. */
async function withoutGivenKeys(answer: globalThis.Response): Promise<globalThis.Response> {
  if (answer.body === null) return answer;
  return new globalThis.Response(withoutKeys(await answer.text()), answer);
}

function serverFor(caller: Caller, inputs: ReadonlyMap<string, InputSchema>, deps: ProtocolDeps): McpServer {
  const server = new McpServer(
    { name: 'hourcast', title: 'Hourcast', version: deps.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: UNCHANGING, resources: UNCHANGING } },
  );
  for (const tool of TOOLS) {
    const { name, title, description, annotations } = tool;
    const input = inputs.get(name);
    if (input === undefined) throw new Error(`${name} must have an input schema`);
    const answer = (given: unknown) => callTool({ tool, input, given }, caller, deps);
    server.registerTool(name, { title, description, annotations, inputSchema: leftToEndpoints(input) }, answer);
  }
  for (const resource of RESOURCES) registerResource(server, resource, { caller, deps });
  return server;
}

/** Shown to clients; what does not fit it is refused by the endpoint, in its words. */
function leftToEndpoints(input: InputSchema) {
  const shown = () => ({ ...input });
  const jsonSchema = { input: shown, output: shown };
  return { '~standard': { version: 1, vendor: 'hourcast', validate: unchecked, jsonSchema } } as const;
}

function unchecked(value: unknown) {
  return { value };
}

function registerResource(
  server: McpServer,
  { name, uri, text, ...shown }: Resource,
  { caller, deps }: { caller: Caller; deps: ProtocolDeps },
): void {
  const read = async (address: URL, values: Readonly<Record<string, unknown>>) => {
    const found = await text(values, { caller, ...deps }).catch((error: unknown) => refuse(error, address.href, deps));
    return { contents: [{ uri: address.href, mimeType: shown.mimeType, text: found }] };
  };
  if (uri.includes('{')) {
    server.registerResource(name, new ResourceTemplate(uri, { list: undefined }), shown, read);
  } else server.registerResource(name, uri, shown, (address) => read(address, {}));
}

function refuse(cause: unknown, uri: string, { report }: ProtocolDeps): never {
  const found = readable(cause, report);
  const { error, ...told } = errorBody(found);
  if (found.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri, error);
  const code = found.code === 'INTERNAL' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  throw new ProtocolError(code, error, told);
}
