import { callersError } from '../graphql/errors.ts';
import type { Answer, RunInTime } from '../http/exchange.ts';
import type { AnswerCache, CachedAnswer } from '../http/answer-cache.ts';
import type { Allowance } from '../backplane/backplane.ts';
import type { LimitName } from '../limits.ts';
import { type CompiledEndpoint, namesAt } from './compile.ts';
import type { Data } from './endpoint.ts';
import { type RequestParts, variablesOf } from './variables.ts';

export interface RestContext {
  /** True if a request of this limit neither counts nor needs a key. */
  isFree(limit: LimitName): boolean;
  admit(limit: LimitName, asked: string, uses?: number): Promise<void>;
  authenticate(limit: LimitName, asked: string): Promise<void>;
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
export function answerTo(endpoint: CompiledEndpoint, cache: AnswerCache, asked: Request): Answer | Promise<Answer> {
  const found = endpoint.cached?.for === 'everybody' ? cache.current(asked.url) : null;
  const isReady = found !== null && asked.context.isFree(endpoint.limit);
  return isReady ? found : admittedAnswer(endpoint, cache, { ...asked, found });
}

/** Authentication and limits come before the body, whose reading does not count against `ANSWER_MS`. */
async function admittedAnswer(
  endpoint: CompiledEndpoint,
  cache: AnswerCache,
  { context, readParts, inTime, found }: Request & { readonly found: CachedAnswer | null },
): Promise<Answer> {
  if (found !== null) {
    await context.admit(endpoint.limit, nameOf(endpoint));
    return found;
  }
  if (endpoint.cached !== undefined) {
    const parameters = await admitAndRead(endpoint, { context, inTime }, readParts);
    return inTime(() => cachedAnswer(endpoint, cache, { context, parts: parameters }));
  }
  let parts: RequestParts | undefined;
  const read = async () => variablesOf(endpoint, (parts = await readParts()));
  const variables = await admitAndRead(endpoint, { context, inTime, given: () => parts?.body }, read);
  const data = await inTime(() => run(endpoint, { context, variables }));
  return freshAnswer(endpoint, data, variables);
}

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

function freshAnswer(endpoint: CompiledEndpoint, data: Data, variables: Data): Answer {
  const headers = { ...endpoint.caching.forNow, ...endpoint.answerHeaders?.(data) };
  const status = endpoint.successOf?.(data) ?? endpoint.success ?? 200;
  if (endpoint.text !== undefined)
    return { status, headers, body: endpoint.text.of(data), contentType: endpoint.text.contentType };
  return { status, headers, body: JSON.stringify(bodyOf(endpoint, data, variables)) };
}

interface ReadRequest {
  readonly context: RestContext;
  readonly parts: RequestParts;
}

async function cachedAnswer(
  endpoint: CompiledEndpoint,
  cache: AnswerCache,
  { context, parts }: ReadRequest,
): Promise<Answer> {
  const isOwn = endpoint.cached?.for === 'viewer';
  const key = isOwn ? `${parts.url} of ${(await context.viewer())?.id ?? null}` : parts.url;
  return cache.answer(key, {
    dependsOn: endpoint.dependsOn,
    // A shared answer must not contain the first caller's private data.
    produce: () => produce(endpoint, { context: isOwn ? context : context.forEverybody(), parts }),
  });
}

async function produce(endpoint: CompiledEndpoint, { context, parts }: ReadRequest) {
  const variables = variablesOf(endpoint, parts);
  const data = await run(endpoint, { context, variables });
  const immutable = endpoint.cached?.immutable?.(data) ?? false;
  return {
    body: JSON.stringify(bodyOf(endpoint, data, variables)),
    headers: endpoint.caching[immutable ? 'immutable' : 'forNow'],
    immutable,
  };
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
  const { data, errors } = await operation.execute({ context, variables: coerce(variables), isOwn: true });
  const [error] = errors ?? [];
  if (error) throw callersError(error).translated(namesAt(endpoint));
  if (!data) throw new Error('A document was executed without data and without errors');
  if (missing && Object.values(data)[0] === null) throw missing(variables);
  return data;
}
