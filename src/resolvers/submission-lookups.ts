import { batcher } from '../batching.ts';
import type { Statements } from '../database/statements.ts';
import { withoutDeadline } from '../deadline.ts';
import { type PredictionKey, type RepeatedKey, roundsByKey, whichPredicted } from '../reads/predictions.ts';
import { fieldsNamed } from '../reads/plan/plan.ts';
import { onConnections } from '../reads/plan/read-column.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import { roundRow } from '../reads/plan/rows.ts';
import { hourOf } from '../rules/hours.ts';
import { type Reconcile, roundRunningAt } from './current-round.ts';

/** Batched, since thousands may run at the start of an hour and would wait for connections. */
export type SubmissionLookups = ReturnType<typeof submissionLookups>;

const OPEN_ROUND = roundRow(fieldsNamed('id', 'endTime', 'choices'));

/** Two at a time: the second does not wait for the first one's disk write. */
const TOGETHER = { inFlight: 2, delayToNextTick: true, max: 500 } as const;

export function submissionLookups(
  { urgent, submissions }: { readonly urgent: Statements; readonly submissions: Statements },
  reconcile: Reconcile,
) {
  const read = onConnections(urgent);
  const reading = { row: OPEN_ROUND, read, reconcile, readAgain: read };
  return {
    openRound: batcher({
      ...TOGETHER,
      run: (times: readonly Date[]) => {
        const open = new Map<number, Promise<RoundRow | null>>();
        const openAt = (time: Date): Promise<RoundRow | null> => {
          const hour = hourOf(time).getTime();
          const found = open.get(hour) ?? roundRunningAt(time, reading);
          open.set(hour, found);
          return found;
        };
        return withoutDeadline(() => Promise.all(times.map(openAt)));
      },
    }),
    /** The prediction exists and is durable. */
    hasPredicted: batcher({
      ...TOGETHER,
      run: (keys: readonly PredictionKey[]) => withoutDeadline(() => whichPredicted(submissions, keys)),
    }),
    /** The round of the agent's latest durable prediction with the key, or null. */
    roundByKey: batcher({
      ...TOGETHER,
      run: (keys: readonly RepeatedKey[]) => withoutDeadline(() => roundsByKey(submissions, keys)),
    }),
  };
}
