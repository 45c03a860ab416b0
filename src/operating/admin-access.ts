import { hash, timingSafeEqual } from 'node:crypto';

import type { Request, RequestHandler, Response } from 'express';

import type { Limiter } from '../backplane/backplane.ts';
import { budgetSpent } from '../limits.ts';
import { addressBudget } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';

const CHALLENGE = 'Basic realm="Hourcast operators", charset="UTF-8"';
/** Digits of the token's hash in the audit: enough to distinguish tokens, too few to find one. */
const LABEL_DIGITS = 6;

/** Counts requests per address, with a right or wrong token. Throws `RATE_LIMITED`. */
export function countOperators(limiter: Limiter): RequestHandler {
  return async (request, _response, next) => {
    const allowance = await limiter.count('admin', addressBudget(request.ip ?? ''));
    const retryAfter = allowance?.retryAfterSeconds ?? null;
    if (retryAfter !== null) throw budgetSpent('admin', { endpoint: '/admin', retryAfter });
    next();
  };
}

/**
 * Allows requests with the token: as a bearer, or for reads from a browser as the password of Basic authentication.
 * Browsers attach that to requests of other sites too, so it may not change anything.
 */
export function adminAccess(token: string): RequestHandler {
  const expected = hash('sha256', token, 'buffer');
  return (request, response, next) => {
    const offered = offeredToken(request);
    // Hashes have equal length, so the comparison takes constant time.
    if (offered === null || !timingSafeEqual(hash('sha256', offered, 'buffer'), expected)) refuse(request, response);
    next();
  };
}

/** The token's label and the address. */
export function actorOf(token: string): (request: Request) => string {
  const label = hash('sha256', `hourcast operator ${token}`).slice(0, LABEL_DIGITS);
  return ({ ip }) => `token ${label} at ${ip ?? 'an unknown address'}`.slice(0, 100);
}

function refuse({ method }: Request, response: Response): never {
  if (isLook(method)) response.set('WWW-Authenticate', CHALLENGE);
  throw new DomainError(
    'unauthenticated',
    'This endpoint is for operators: send the header "Authorization: Bearer ..." with the value of ADMIN_TOKEN.',
  );
}

function offeredToken(request: Request): string | null {
  const [scheme = '', value = ''] = (request.get('authorization') ?? '').split(' ', 2);
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return value;
    case 'basic':
      return isLook(request.method) ? passwordOf(value) : null;
    default:
      return null;
  }
}

function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString('utf8');
  return text.slice(text.indexOf(':') + 1);
}

function isLook(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}
