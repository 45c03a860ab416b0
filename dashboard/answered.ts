import { counted, percent, whole } from './figures.ts';

/** The answers to a round without default ones, by answer. */
export interface Crowd {
  readonly n: number;
  readonly answers: readonly { readonly answer: string; readonly n: number }[];
}

interface Answered {
  readonly outcome?: string | null;
  readonly crowd?: Crowd | null;
  readonly totalEntries: number;
}

/** The number of agents that chose an answer. */
export function chosen(crowd: Crowd | null | undefined, answer: string | null | undefined): number {
  return crowd?.answers.find((one) => one.answer === answer)?.n ?? 0;
}

/** The share of right answers, without default ones. */
export function rightShare({ outcome, crowd }: Answered): string {
  return percent(chosen(crowd, outcome) / (crowd?.n || 1));
}

/** The number of answers without default ones, the base of all shares. */
export function answered({ crowd, totalEntries }: Answered, one = 'prediction', many?: string): string {
  return counted(crowd?.n ?? totalEntries, one, many);
}

/** The number of default answers, if any. */
export function standingNote({ crowd, totalEntries }: Answered): string {
  const standing = totalEntries - (crowd?.n ?? totalEntries);
  return standing > 0 ? `, and ${whole(standing)} by standing answers` : '';
}
