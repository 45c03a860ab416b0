import { expect } from '@jest/globals';

import { statusOf } from '../../src/http/errors.ts';
import { REASONS } from '../../src/rules/errors.ts';
import type { Answer } from './service.ts';

/** A status and `{"error": <description>}` (spec 7), followed by fields for programs. */
export function expectRefusal(answer: Answer, status: number, error: RegExp = /\S/): void {
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status, error: expect.stringMatching(error) });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
  expectErrorBody(answer);
}

const TEXT: unknown = expect.stringMatching(/\S/);
const NUMBER: unknown = expect.any(Number);

/** The members of error bodies, in their order; `code` must be in the table, under its status. */
export function expectErrorBody({ status, body }: Pick<Answer, 'status' | 'body'>): void {
  const { error, code, param, errors, endpoint, limit, window_seconds, retry_after, ...more } = body;
  const reason = REASONS.find((one) => one === code);
  expect({ error, code, status: reason && statusOf(reason), more }).toEqual({
    error: TEXT,
    code: TEXT,
    status,
    more: {},
  });
  expect(Object.keys(body).slice(0, 2)).toEqual(['error', 'code']);
  if (param === undefined) expect(errors).toBeUndefined();
  else expect(errors[0]).toEqual({ param, code, error });
  for (const one of errors ?? []) expect(one).toEqual({ param: expect.any(String), code: TEXT, error: TEXT });
  if (endpoint !== undefined) {
    expect({ status, endpoint, limit, window_seconds }).toEqual({
      status: 429,
      endpoint: TEXT,
      limit: NUMBER,
      window_seconds: NUMBER,
    });
  }
  if (status === 429) expect(retry_after).toBeGreaterThan(0);
}

/** The number of answers by status. */
export function statusesOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
