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
import type { GraphQLSchema } from 'graphql';

import { errorBody } from '../http/errors.ts';
import type { CompiledEndpoint } from '../rest/compile.ts';
import type { JsonSchema } from '../rest/described.ts';
import { withoutKeys } from '../rules/keys.ts';
import { FORECAST_PROMPT } from './recipes.ts';
import { type Resource, RESOURCES } from './resources.ts';
import { type CallDeps, type Caller, callTool, readable } from './tool-calls.ts';
import { endpointOf, type InputSchema, inputSchemaOf } from './tool-inputs.ts';
import { outputSchemaOf } from './tool-outputs.ts';
import { type Tool, TOOLS } from './tools.ts';

export interface ProtocolDeps extends CallDeps {
  readonly schema: GraphQLSchema;
  readonly version: string;
  readonly describeBody: (endpoint: CompiledEndpoint, schema: GraphQLSchema) => JsonSchema;
}

export interface Message {
  readonly request: Request;
  readonly response: Response;
  readonly body: unknown;
  readonly caller: Caller;
}

/** The lists change with the service's version only, and there is no stream to notify clients. */
const UNCHANGING = { listChanged: false };

const INSTRUCTIONS =
  'An hourly forecasting arena: every UTC hour one question about crypto prices, answered once with a confidence in percent. Call briefing, then predict; the resource hourcast://rules has the scoring. Predictions need the key of an agent, which the client sends as the header "Authorization: Bearer pk_live_...". No key yet? POST /api/agents/register with {"name": "..."} at this service gives one, shown once; people get one on its page /join. Everything but predict works without.';

/** Answers messages of both protocol generations without state in between, so that any process can answer. */
export function openProtocol(deps: ProtocolDeps): (message: Message) => Promise<void> {
  const { table, schema, describeBody } = deps;
  const tools = TOOLS.map((tool) => ({
    tool,
    input: inputSchemaOf(tool, table),
    output: outputSchemaOf(tool, (name) => describeBody(endpointOf(table, name), schema)),
  }));
  return async ({ request, response, body, caller }) => {
    const handler = createMcpHandler(() => serverFor(caller, tools, deps), {
      // Nothing to subscribe to: live events are served by GraphQL and /api/events.
      maxSubscriptions: 0,
      keepAliveMs: 0,
    });
    const takesJson = request.accepts('json') !== false;
    const fetch: typeof handler.fetch = async (sent, more) => {
      // The older protocol requires both types and then answers with a stream of one event.
      if (takesJson) sent.headers.set('accept', 'application/json, text/event-stream');
      const answer = await handler.fetch(sent, more);
      return withoutGivenKeys(takesJson ? await asJson(answer) : answer);
    };
    await toNodeHandler({ fetch }, { onerror: deps.report })(request, response, body);
  };
}

async function asJson(answer: globalThis.Response): Promise<globalThis.Response> {
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream')) return answer;
  const [, message = ''] = /^data: (.+)$/m.exec(await answer.text()) ?? [];
  return new globalThis.Response(message, { status: answer.status, headers: { 'content-type': 'application/json' } });
}

/** The SDK's errors repeat their input in the body or headers. */
async function withoutGivenKeys(answer: globalThis.Response): Promise<globalThis.Response> {
  if (answer.body === null) return answer;
  return new globalThis.Response(withoutKeys(await answer.text()), answer);
}

interface ShownTool {
  readonly tool: Tool;
  readonly input: InputSchema;
  readonly output: object;
}

function serverFor(caller: Caller, tools: readonly ShownTool[], deps: ProtocolDeps): McpServer {
  const server = new McpServer(
    { name: 'hourcast', title: 'Hourcast', version: deps.version },
    { instructions: INSTRUCTIONS, capabilities: { tools: UNCHANGING, resources: UNCHANGING, prompts: UNCHANGING } },
  );
  for (const { tool, input, output } of tools) {
    const { name, title, description, annotations } = tool;
    const answer = (given: unknown) => callTool({ tool, input, given }, caller, deps);
    const schemas = { inputSchema: leftToEndpoints(input), outputSchema: leftToEndpoints(output) };
    server.registerTool(name, { title, description, annotations, ...schemas }, answer);
  }
  const { name, text, ...prompt } = FORECAST_PROMPT;
  server.registerPrompt(name, prompt, () => ({ messages: [{ role: 'user', content: { type: 'text', text } }] }));
  for (const resource of RESOURCES) registerResource(server, resource, { caller, deps });
  return server;
}

/** Clients see the schema; the endpoint itself refuses what does not fit. */
function leftToEndpoints(schema: object) {
  const shown = () => ({ ...schema });
  const jsonSchema = { input: shown, output: shown };
  return {
    '~standard': { version: 1, vendor: 'hourcast', validate: (value: unknown) => ({ value }), jsonSchema },
  } as const;
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
  const { error, ...details } = errorBody(found);
  if (found.code === 'NOT_FOUND') throw new ResourceNotFoundError(uri, error);
  const code = found.code === 'INTERNAL' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  throw new ProtocolError(code, error, details);
}
