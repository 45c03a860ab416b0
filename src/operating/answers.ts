import type { NextFunction, Request, Response } from 'express';

import { sendError } from '../rest/router.ts';
import { DomainError } from '../rules/errors.ts';

/** Answers what was thrown as every endpoint does: `{"error": ...}`. */
export function answerErrors(report: (error: unknown) => void) {
  return (error: unknown, _request: Request, response: Response, next: NextFunction): void => {
    if (response.headersSent) next(error);
    else sendError(response, error, report);
  };
}

export function noSuchPath({ method, path }: Request): never {
  throw new DomainError('NOT_FOUND', `There is no endpoint ${method} ${path}.`);
}
