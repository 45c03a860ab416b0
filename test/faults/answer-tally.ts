import type { Answer } from './memory.ts';

/** What clients were answered from one moment on. */
export interface AnswerTally {
  take(answer: Answer): void;
  /** How often each status came, as `201: 40, 503: 12, none: 2`. */
  statuses(): string;
  countOf(status: number): number;
  /** How long the slowest answer took, or the longest wait that got none. */
  longestMs(): number;
  /** Refusals that lack a sentence or say nothing of when to come back, and faults told as such. */
  readonly unclear: readonly string[];
}

export function answerTally(): AnswerTally {
  const counts = new Map<number, number>();
  const unclear: string[] = [];
  let longestMs = 0;
  return {
    unclear,
    take({ status, body, latencyMs, retryAfter }) {
      counts.set(status ?? 0, (counts.get(status ?? 0) ?? 0) + 1);
      longestMs = Math.max(longestMs, latencyMs);
      const isClear = typeof body['error'] === 'string' && Number(retryAfter) >= 1;
      if (status !== null && status >= 500 && (status !== 503 || !isClear))
        unclear.push(`${status} Retry-After ${retryAfter}: ${JSON.stringify(body)}`);
    },
    statuses: () =>
      [...counts]
        .toSorted(([one], [other]) => one - other)
        .map(([status, count]) => `${status === 0 ? 'none' : status}: ${count}`)
        .join(', '),
    countOf: (status) => counts.get(status) ?? 0,
    longestMs: () => longestMs,
  };
}
