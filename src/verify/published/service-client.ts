import { setTimeout as sleep } from 'node:timers/promises';

import { z } from 'zod';

import { reasonOfFetch } from '../../database/failures.ts';
import { HOUR, MINUTE, retryAfterMs, SECOND } from '../../rules/hours.ts';
import { wholeLines } from '../../whole-lines.ts';
import { type ArchivedMonths, NO_MONTHS } from './archived-months.ts';
import { type RequestResult, retries } from './retries.ts';
import { CannotVerify } from '../settings.ts';

export type ServiceClient = ReturnType<typeof serviceClient>;

type Variables = Readonly<Record<string, unknown>>;

const LIMIT = z.object({ found: z.number(), most: z.number() });

export class TooCostly extends CannotVerify {
  readonly limit: z.infer<typeof LIMIT>;

  constructor(from: string, limit: z.infer<typeof LIMIT>) {
    super(`${from} accepts a cost of ${limit.most} (the query costs ${limit.found}).`);
    this.limit = limit;
  }
}

/** No answer, or one that breaks off. */
class Unreachable extends CannotVerify {
  constructor(address: string, cause: unknown) {
    super(`${address} cannot be reached: ${reasonOfFetch(cause)}`, { cause });
  }
}

const REQUEST_TIMEOUT_MS = MINUTE;
const DEFAULT_WAIT_SECONDS = 1;
/** A timer of many days would fire at once. */
const MAX_WAIT_MS = HOUR;

const REFUSAL = z.object({
  errors: z.tuple(
    [
      z.object({
        message: z.string(),
        extensions: z.object({
          code: z.string(),
          retryAfter: z.number().optional(),
          // A rate limit's is a number.
          limit: LIMIT.optional().catch(undefined),
        }),
      }),
    ],
    z.unknown(),
  ),
});

export interface ClientNeeds {
  readonly print: (line: string) => void;
  readonly wait?: ((seconds: number) => Promise<unknown>) | undefined;
  /** Archives of what the service dropped; default: none. */
  readonly months?: ArchivedMonths | undefined;
}

/** Public answers without a key. Every call throws `CannotVerify` if it gets none. */
export function serviceClient(url: string, needs: ClientNeeds) {
  const { print, wait = (seconds: number) => sleep(seconds * SECOND), months = NO_MONTHS } = needs;
  const retry = retries(print, wait);
  const get = (path: string, accepted: readonly number[] = []): Promise<Response> =>
    retry(url + path, async (): Promise<RequestResult<Response>> => {
      const response = await send(url + path);
      if (response.ok || accepted.includes(response.status)) return { kind: 'answer', value: response };
      const text = await textOf(response);
      return waitOf(response) ?? refuse(url + path, response.status, text);
    });
  return {
    url,
    months,
    wait,
    async json<T>(path: string, shape: z.ZodType<T>): Promise<T> {
      return read(url + path, shape, await textOf(await get(path)));
    },
    /** The rows of an export, by ascending id. The service breaks off a long one: another request reads the rest. */
    async *lines<T extends { readonly id: number }>(path: string, shape: z.ZodType<T>): AsyncGenerator<T> {
      for (let last = 0; ;) {
        const after = last;
        const part = after === 0 ? path : `${path}${path.includes('?') ? '&' : '?'}after=${after}`;
        try {
          for await (const line of linesOf(await get(part))) {
            const row = read(url + part, shape, line);
            last = row.id;
            yield row;
          }
          return;
        } catch (error) {
          if (!(error instanceof Unreachable) || last <= after) throw error;
        }
      }
    },
    /** Null where the service has nothing. */
    async body(path: string): Promise<Buffer | null> {
      const response = await get(path, [404]);
      return response.ok ? bodyOf(response) : null;
    },
    /** Throws `TooCostly` if the query exceeds the service's limit. */
    query: <T>(document: string, variables: Variables, shape: z.ZodType<T>): Promise<T> =>
      retry(`${url}/graphql`, async () => {
        const response = await send(`${url}/graphql`, JSON.stringify({ query: document, variables }));
        return dataOf(response, shape, await textOf(response));
      }),
  };
}

function dataOf<T>(response: Response, shape: z.ZodType<T>, text: string): RequestResult<T> {
  const { url: from, status } = response;
  const [error] = REFUSAL.safeParse(parsed(text)).data?.errors ?? [];
  if (error === undefined) {
    if (status !== 200) return waitOf(response) ?? refuse(from, status, text);
    return { kind: 'answer', value: read(from, z.object({ data: shape }), text).data };
  }
  const { code, limit, retryAfter } = error.extensions;
  if (limit !== undefined && limit.found > limit.most) throw new TooCostly(from, limit);
  if (code === 'RATE_LIMITED' || code === 'UNAVAILABLE') {
    return { kind: 'wait', seconds: retryAfter ?? secondsOf(response), isLimit: code === 'RATE_LIMITED' };
  }
  return refuse(from, status, error.message);
}

/** Null unless the request may be repeated. */
function waitOf(response: Response): RequestResult<never> | null {
  const { status } = response;
  if (status !== 429 && status !== 503) return null;
  return { kind: 'wait', seconds: secondsOf(response), isLimit: status === 429 };
}

/** From `Retry-After`, whose date is compared with that of the response. */
function secondsOf({ headers }: Response): number {
  const sentAt = new Date(headers.get('date') ?? NaN);
  const ms = retryAfterMs(headers.get('retry-after') ?? undefined, sentAt) ?? 0;
  return Math.ceil(Math.min(ms, MAX_WAIT_MS) / SECOND) || DEFAULT_WAIT_SECONDS;
}

function refuse(from: string, status: number, text: string): never {
  throw new CannotVerify(`${from} answers ${status}: ${text.slice(0, 200)}`);
}

async function send(address: string, body?: string): Promise<Response> {
  const isStream = address.includes('/api/export/') || address.includes('/log/entries');
  try {
    return await fetch(address, {
      ...(body === undefined ? {} : { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      // As long as a history or a round: no timeout.
      ...(isStream ? {} : { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) }),
    });
  } catch (cause) {
    throw new Unreachable(address, cause);
  }
}

async function textOf(response: Response): Promise<string> {
  return (await bodyOf(response)).toString();
}

async function bodyOf(response: Response): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    throw new Unreachable(response.url, cause);
  }
}

async function* linesOf({ url, body }: Response): AsyncGenerator<string> {
  let rest = '';
  try {
    if (body !== null) rest = yield* wholeLines(body);
  } catch (cause) {
    throw new Unreachable(url, cause);
  }
  if (rest !== '') throw new CannotVerify(`${url} ends in the middle of a line.`);
}

function read<T>(from: string, shape: z.ZodType<T>, text: string): T {
  const found = shape.safeParse(parsed(text));
  if (found.success) return found.data;
  const [issue] = found.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new CannotVerify(`${from} sent an unexpected response: ${where}: ${issue?.message ?? ''}`);
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/**
 * All nodes of a list, which `document` calls `page` and reads from the cursor `after` on. Throws `CannotVerify` if a page
 * goes on without a node or to an earlier page.
 */
export async function allNodes<Node>(
  client: ServiceClient,
  [document, variables]: readonly [string, Variables],
  node: z.ZodType<Node>,
): Promise<readonly Node[]> {
  const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
  const shape = z.object({ page: z.object({ nodes: z.array(node), pageInfo }) });
  const found: Node[] = [];
  const cursors = new Set<string>();
  for (let after: string | null = null; ;) {
    const { page }: z.infer<typeof shape> = await client.query(document, { ...variables, after }, shape);
    found.push(...page.nodes);
    if (!page.pageInfo.hasNextPage) return found;
    after = page.pageInfo.endCursor;
    if (page.nodes.length === 0 || after === null || cursors.has(after)) {
      const [, list] = /page: (\w+)/.exec(document) ?? [];
      throw new CannotVerify(`${client.url}/graphql sent ${list} without end, to the cursor ${after}.`);
    }
    cursors.add(after);
  }
}
