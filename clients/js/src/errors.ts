import { proxyOf } from './proxy.ts';
import type { ErrorBody, ErrorCode, FieldError } from './reference.ts';

/** Failures without an answer of the service: an invalid address, no answer, a timeout, or another server. */
export type TransportCode =
  | 'malformed_settings'
  | 'unreachable'
  | 'timeout'
  | 'redirected'
  | 'unexpected_answer'
  | 'broken_stream';

interface ErrorDetails {
  readonly code: ErrorCode | TransportCode;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly param?: string | undefined;
  readonly errors?: readonly FieldError[] | undefined;
  readonly cause?: unknown;
}

/** The client's only error: a refusal, or no answer. */
export class HourcastError extends Error {
  override readonly name = 'HourcastError';
  /** For programs; newer versions of the service add codes. */
  readonly code: ErrorCode | TransportCode;
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Whole seconds before a retry; null if the service does not say. */
  readonly retryAfter: number | null;
  /** The refused parameter or field, or null. */
  readonly param: string | null;
  /** Every refused parameter and field. */
  readonly errors: readonly FieldError[];

  constructor(message: string, { code, status, retryAfter, param, errors, cause }: ErrorDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status ?? null;
    this.retryAfter = retryAfter ?? null;
    this.param = param ?? null;
    this.errors = errors ?? [];
  }
}

/** The error of an answer that is no success. */
export async function refusalOf(response: Response, url: string): Promise<HourcastError> {
  const { status } = response;
  const waits = waitIn(response.headers);
  const text = await response.text();
  const body = errorBodyOf(text);
  if (body === null) {
    const message = `Status ${status}, but no answer of Hourcast, came from ${url}.${proxyOf(url)}`;
    return new HourcastError(message, { code: 'unexpected_answer', status, retryAfter: waits });
  }
  const { error, code, param, errors, retry_after } = body;
  return new HourcastError(error, { code, status, param, errors, retryAfter: waits ?? retry_after });
}

/** Whole seconds; a proxy may send decimals, or a date, which counts from the answer's own date if that is readable. */
function waitIn(headers: Headers): number | undefined {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text));
  if (!HTTP_DATE.test(text)) return undefined;
  const now = headers.get('date') ?? '';
  const waits = (Date.parse(text) - (HTTP_DATE.test(now) ? Date.parse(now) : Date.now())) / 1000;
  return Number.isNaN(waits) ? undefined : Math.max(0, Math.ceil(waits));
}

const HTTP_DATE = /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/;

function errorBodyOf(text: string): ErrorBody | null {
  try {
    const body = JSON.parse(text);
    return typeof body?.error === 'string' && typeof body.code === 'string' ? body : null;
  } catch {
    return null;
  }
}
