import type { TestService } from './service.ts';

interface AskOptions {
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly key?: string | undefined;
}

/** A GraphQL answer without the headers of limits. */
export interface GraphqlAnswer {
  readonly status: number;
  // Tests compare answers whole.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
  readonly errors: readonly Refusal[];
  /** The raw answer. */
  readonly text: string;
}

export interface Refusal {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: { readonly code: string; readonly retryAfter?: number };
}

export async function ask(
  service: TestService,
  query: string,
  { variables, key }: AskOptions = {},
): Promise<GraphqlAnswer> {
  const body = { query, ...(variables === undefined ? {} : { variables }) };
  const answer = await service.request('POST', '/graphql', { body, key });
  return answerOf(answer);
}

export function answerOf({ status, body }: Awaited<ReturnType<TestService['request']>>): GraphqlAnswer {
  return { status, data: body.data ?? null, errors: body.errors ?? [], text: JSON.stringify(body) };
}

/** Throws for an answer with errors. */
export async function dataOf(
  service: TestService,
  query: string,
  options: AskOptions = {},
): Promise<GraphqlAnswer['data']> {
  const { data, errors } = await ask(service, query, options);
  if (errors.length > 0) throw new Error(`Refused: ${JSON.stringify(errors)}`);
  return data;
}

/** Registers an agent over REST and returns its key. */
export async function registered(
  service: TestService,
  name: string,
  mode = 'compete',
): Promise<{ id: number; key: string }> {
  const { body } = await service.request('POST', '/api/agents/register', { body: { name, mode } });
  return { id: body.agent.id, key: body.api_key };
}
