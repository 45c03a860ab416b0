import type { Document } from './document.ts';

const AWAY = 'The service is away for a moment.';
const RETRY_S = 4;

/** The message is a sentence for people, in the page's own words. */
export class AskError extends Error {
  /** The service's code, such as `RATE_LIMITED`; `OFFLINE` if it is out of reach. */
  readonly code: string;
  /** In seconds. */
  readonly retryAfter: number;
  /** Such as `no_prices_yet`. */
  readonly reason: unknown;

  constructor(code: string, message = AWAY, retryAfter: unknown = RETRY_S, reason?: unknown) {
    super(message);
    this.code = code;
    this.retryAfter = Number(retryAfter);
    this.reason = reason;
  }
}

/** Throws `AskError`. */
export type Ask = <Answer, Variables>(
  document: Document<Answer, Variables>,
  variables: Variables,
  options?: { readonly key?: string | undefined; readonly signal?: AbortSignal },
) => Promise<Answer>;

export function asker(url: string): Ask {
  return async (document, variables, { key, signal } = {}) => {
    const response = await reach(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) },
      body: JSON.stringify({ query: document, variables }),
      signal: signal ?? null,
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
    throw new AskError('UNAVAILABLE');
  }
}

function answerIn<Answer>(_document: Document<Answer, unknown>, body: unknown): Promise<Answer>;
async function answerIn(_document: unknown, body: unknown): Promise<unknown> {
  const { data, errors } = isRecord(body) ? body : {};
  const [error] = Array.isArray(errors) ? errors : [];
  if (isRecord(error)) throw await askErrorOf(error);
  if (!isRecord(data)) throw new AskError('UNAVAILABLE');
  return data;
}

const loadRefusals = () => import('./on-demand.ts');

/** The words are loaded once something is refused. */
async function askErrorOf({ message, extensions }: Readonly<Record<string, unknown>>): Promise<AskError> {
  const { code = 'INTERNAL', reason, param, retryAfter } = isRecord(extensions) ? extensions : {};
  const words = await loadRefusals().then(
    ({ refusalWords }) => refusalWords(String(code), String(reason), String(param), String(message)),
    () => undefined,
  );
  return new AskError(String(code), words, retryAfter, reason);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
