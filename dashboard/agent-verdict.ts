import type { AgentPageQuery, MeanFragment } from './documents/agent.ts';
import { counted } from './figures.ts';

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

type Given = NonNullable<AgentPageQuery['agent']>['predictions']['nodes'][number];

const MINUTE_MS = 60_000;

/** The median minute of the newest answers, without standing ones. */
export function lateness(predictions: readonly Pick<Given, 'submittedAt' | 'standing' | 'round'>[]): string {
  const minutes = predictions
    .filter(({ standing }) => !standing)
    .map(({ submittedAt, round }) => Math.floor((Date.parse(submittedAt) - Date.parse(round.startTime)) / MINUTE_MS))
    .toSorted((one, other) => one - other);
  const half = `Half of its newest ${counted(minutes.length, 'answer')} came at minute ${minutes[minutes.length >> 1]} or later. `;
  return `${minutes.length === 0 ? '' : half}Points reward late answers; edge does not.`;
}
