import { expect } from '@jest/globals';

import type { Answer } from './service.ts';

/** A refusal is a status and `{"error": <description>}` and nothing else (spec 7). */
export function expectRefusal(answer: Answer, status: number, error: RegExp = /\S/): void {
  expect({ status: answer.status, body: answer.body }).toEqual({
    status,
    body: { error: expect.stringMatching(error) },
  });
  expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
}

/** How often each status occurs. */
export function statusesOf(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
