import type { Document } from './document.ts';

/** The message is a sentence for people. */
export class AskError extends Error {
  override name = 'AskError';
  /** The service's code, such as `RATE_LIMITED`; `OFFLINE` if it is out of reach. */
  readonly code: string;
  /** In seconds, if the service says so. */
  readonly retryAfter: number | null;

  constructor(code: string, message: string, retryAfter: number | null = null) {
    super(message);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** Throws `AskError`. */
export type Ask = <Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
  options?: AskOptions,
) => Promise<Answer>;

interface AskOptions {
  readonly key?: string | undefined;
  readonly signal?: AbortSignal;
}

export function asker(url: string): Ask {
  return async (document, variables, { key, signal } = {}) => {
    const response = await reach(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ query: document, variables }),
      ...(signal === undefined ? {} : { signal }),
    });
    return answerIn(document, await bodyOf(response));
  };
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    if (init.signal?.aborted === true) throw cause;
    throw new AskError('OFFLINE', 'The service cannot be reached.');
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    throw new AskError('UNAVAILABLE', `The service answered ${response.status} without data.`);
  }
}

function answerIn<Answer>(_document: Document<Answer, unknown>, body: unknown): Answer;
function answerIn(_document: unknown, body: unknown): unknown {
  const { data, errors } = isRecord(body) ? body : {};
  const [error] = Array.isArray(errors) ? errors : [];
  if (isRecord(error)) throw askErrorOf(error);
  if (!isRecord(data)) throw new AskError('UNAVAILABLE', 'The service answered without data.');
  return data;
}

/** From a GraphQL answer, or from one operation on a socket. */
function askErrorOf(error: Readonly<Record<string, unknown>>): AskError {
  const { message, extensions } = error;
  const { code = 'INTERNAL', retryAfter } = isRecord(extensions) ? extensions : {};
  return new AskError(String(code), String(message), typeof retryAfter === 'number' ? retryAfter : null);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
