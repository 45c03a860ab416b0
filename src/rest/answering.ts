import { callersError } from '../graphql/errors.ts';
import type { Answer, RunInTime } from '../http/exchange.ts';
import type { AnswerCache } from '../http/answer-cache.ts';
import type { Allowance } from '../backplane/backplane.ts';
import type { LimitName } from '../limits.ts';
import { type CompiledEndpoint, namesAt } from './compile.ts';
import type { Data } from './endpoint.ts';
import { type RequestParts, variablesOf } from './variables.ts';

export interface RestContext {
  /** True if a request of this limit neither counts nor needs a key. */
  isFree(limit: LimitName): boolean;
  admit(limit: LimitName, endpoint: string, uses?: number): Promise<void>;
  authenticate(limit: LimitName, endpoint: string): Promise<void>;
  countRefusal(roundId: null, error: unknown): void;
  viewer(): Promise<{ readonly id: number } | null>;
  forEverybody(): RestContext;
  readonly allowance: Allowance | null;
}

interface Request {
  readonly context: RestContext;
  readonly url: string;
  /** Called after admission; throws for bad parameters. */
  readonly readParts: () => RequestParts | Promise<RequestParts>;
  readonly inTime: RunInTime;
}

/** No promise for a cached answer that costs its caller nothing. */
export function answerTo(endpoint: CompiledEndpoint, cache: AnswerCache, request: Request): Answer | Promise<Answer> {
  const { cached, limit } = endpoint;
  const { context, url } = request;
  const found = cached?.for === 'everybody' ? cache.current(url) : null;
  if (found !== null) return context.isFree(limit) ? found : context.admit(limit, nameOf(endpoint)).then(() => found);
  return cached === undefined ? freshAnswer(endpoint, request) : cachedAnswer(endpoint, cache, request);
}

/** Authentication and limits come before the body, whose reading does not count against `ANSWER_MS`. */
async function freshAnswer(
  endpoint: CompiledEndpoint,
  { context, readParts, inTime }: Omit<Request, 'url'>,
): Promise<Answer> {
  let parts: RequestParts | undefined;
  const read = async () => variablesOf(endpoint, (parts = await readParts()));
  const variables = await admitAndRead(endpoint, { context, inTime, given: () => parts?.body }, read);
  const data = await inTime(() => run(endpoint, { context, variables }));
  const headers = { ...endpoint.caching.forNow, ...endpoint.answerHeaders?.(data) };
  const status = endpoint.successOf?.(data) ?? endpoint.success ?? 200;
  if (endpoint.text !== undefined)
    return { status, headers, body: endpoint.text.of(data), contentType: endpoint.text.contentType };
  return { status, headers, body: JSON.stringify(bodyOf(endpoint, data, variables)) };
}

async function cachedAnswer(
  endpoint: CompiledEndpoint,
  cache: AnswerCache,
  { context, url, readParts, inTime }: Request,
): Promise<Answer> {
  const isOwn = endpoint.cached?.for === 'viewer';
  const produce = async (parts: RequestParts) => {
    const variables = variablesOf(endpoint, parts);
    // A shared answer must not contain the first caller's private data.
    const data = await run(endpoint, { context: isOwn ? context : context.forEverybody(), variables });
    const immutable = endpoint.cached?.immutable?.(data) ?? false;
    const headers = endpoint.caching[immutable ? 'immutable' : 'forNow'];
    return { body: JSON.stringify(bodyOf(endpoint, data, variables)), headers, immutable };
  };
  // Cached answers are to requests without a body: all of their time counts.
  return inTime(async () => {
    const parts = await admitAndRead(endpoint, { context, inTime: inTimeAlready }, readParts);
    const key = isOwn ? `${url} of ${(await context.viewer())?.id ?? null}` : url;
    return cache.answer(key, { dependsOn: endpoint.dependsOn, produce: () => produce(parts) });
  });
}

/** For work within `inTime`. */
export const inTimeAlready: RunInTime = (work) => work();

/** Admits a request and then reads its parameters. An unknown key is reported before errors in them. */
export async function admitAndRead<Read>(
  endpoint: CompiledEndpoint,
  { context, inTime, given }: Pick<Request, 'context' | 'inTime'> & { readonly given?: () => Data | undefined },
  read: () => Read | Promise<Read>,
): Promise<Read> {
  const { limit } = endpoint;
  await inTime(() => context.admit(limit, nameOf(endpoint)));
  try {
    return await read();
  } catch (error) {
    await inTime(() => context.authenticate(limit, nameOf(endpoint)));
    if (endpoint.recordsRefusals && given?.()?.['dry_run'] !== true) context.countRefusal(null, error);
    throw error;
  }
}

function nameOf({ method, path }: CompiledEndpoint): string {
  return `${method} ${path}`;
}

export function bodyOf({ shape }: CompiledEndpoint, data: Data, variables: Data): unknown {
  if (shape !== undefined) return shape.apply(data, variables);
  return 'body' in data ? data['body'] : data;
}

export async function run(
  endpoint: CompiledEndpoint,
  { context, variables }: { context: RestContext; variables: Data },
): Promise<Data> {
  const { operation, coerce, missing } = endpoint;
  const { data, errors } = await operation.execute({ context, variables: coerce(variables), isServiceDocument: true });
  const [error] = errors ?? [];
  if (error) throw callersError(error).translated(namesAt(endpoint));
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw missing(variables);
  return data;
}
