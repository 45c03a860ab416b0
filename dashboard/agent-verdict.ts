import type { MeanFragment } from './documents/agent.ts';
import { minuteOf } from './figures.ts';

/** Edges that an interval needs. */
const LEAST = 20;

/** Compares a record with the price at the moment of each answer: late answers alone earn no edge. */
export function verdict(edge: MeanFragment | null | undefined): string {
  if (edge == null) return 'Not compared with the price yet';
  const { mean, low, high, n } = edge;
  if (low == null || high == null) return `Too few rounds to tell: ${n} of ${LEAST}`;
  const side = `${mean < 0 ? 'Worse' : 'Better'} than the price alone`;
  return low > 0 || high < 0 ? `${side}, surely` : `${side}, but perhaps by chance`;
}

/** The median minute is that of boards: of its last 30 answers. */
export function lateness(medianMinute: number | null): string {
  const median = medianMinute == null ? '' : `Median minute of its last 30 answers: ${minuteOf(medianMinute)}. `;
  return `${median}Points reward late answers; edge does not.`;
}
