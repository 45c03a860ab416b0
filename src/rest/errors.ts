import { DomainError, type ErrorCode } from '../rules/errors.ts';

/** The HTTP status of each of the domain's errors (spec section 7). */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = {
  BAD_REQUEST: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  UNAVAILABLE: 503,
  INTERNAL: 500,
};

/** What Express and its body parser throw at requests that they cannot read. */
export function readingError(error: unknown): { status: number; message: string } | null {
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return null;
  if (error.status === 413) return { status: 413, message: 'The body is too large: at most 16 KiB are read.' };
  if (error.status >= 500) return null;
  const broken = 'type' in error && error.type === 'entity.parse.failed';
  return {
    status: 400,
    message: broken
      ? 'The body is not valid JSON.'
      : 'The request cannot be read: its address, encoding or character set is broken.',
  };
}

export function isDomainError(error: unknown): error is DomainError {
  return error instanceof DomainError;
}
