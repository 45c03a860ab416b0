import { at } from '../oracle/json.ts';
import type { QuestionType } from '../oracle/round-facts.ts';
import { type Instant, moved, namesOf, spread, subjectOf, thresholdOf } from './oracle-walks.ts';

/** So many standard deviations of the time left, and nobody expects it to be made up. */
const DEVIATIONS = 2.5;

/** The place of the answer that leads beyond doubt; null where none does, and for questions that are not about one lead. */
export function certainLead(instant: Instant): number | null {
  const lead = LEADS[instant.facts.type]?.(instant) ?? 0;
  if (Math.abs(lead) < DEVIATIONS) return null;
  return lead > 0 ? 0 : 1;
}

/** By how many standard deviations of the time left the first answer leads. */
const LEADS: Partial<Record<QuestionType, (instant: Instant) => number>> = {
  relative(instant) {
    const [one, other] = [at(namesOf(instant), 0), at(namesOf(instant), 1)];
    const weights = [[one, 1] as const, [other, -1] as const];
    return (moved(instant, one) - moved(instant, other)) / spread(instant, weights);
  },
  direction: (instant) => above(instant, 0),
  momentum: (instant) => (instant.signBefore ?? 0) * above(instant, 0),
  threshold(instant) {
    const threshold = thresholdOf(instant);
    return Math.sign(threshold) * above(instant, Math.log(1 + threshold));
  },
};

function above(instant: Instant, level: number): number {
  const subject = subjectOf(instant);
  return (moved(instant, subject) - level) / spread(instant, [[subject, 1]]);
}
