import { batcher } from '../batching.ts';
import type { Statements } from '../database/statements.ts';
import { withoutDeadline } from '../deadline.ts';
import { type PredictionKey, type RepeatedKey, roundsByKey, whichPredicted } from '../reads/predictions.ts';
import { hourOf } from '../rules/hours.ts';
import { openRoundAt, type Reconcile } from './current-round.ts';

/** Batched, since thousands may run at the start of an hour and would wait for connections. */
export type SubmissionLookups = ReturnType<typeof submissionLookups>;

/** Two at a time: the second does not wait for the first one's disk write. */
const TOGETHER = { inFlight: 2, delayToNextTick: true, max: 500 } as const;

export function submissionLookups(
  { urgent, submissions }: { readonly urgent: Statements; readonly submissions: Statements },
  reconcile: Reconcile,
) {
  return {
    openRound: batcher({
      ...TOGETHER,
      run: async (times: readonly Date[]) => {
        const hours = new Map(times.map((time) => [hourOf(time).getTime(), time]));
        const open = new Map(
          await withoutDeadline(() =>
            Promise.all(
              [...hours].map(async ([hour, time]) => [hour, await openRoundAt({ urgent, reconcile }, time)] as const),
            ),
          ),
        );
        return times.map((time) => open.get(hourOf(time).getTime()) ?? null);
      },
    }),
    /** The prediction exists and is durable. */
    hasPredicted: batcher({
      ...TOGETHER,
      run: (asked: readonly PredictionKey[]) => withoutDeadline(() => whichPredicted(submissions, asked)),
    }),
    /** The round of the agent's latest durable prediction with the key, or null. */
    roundByKey: batcher({
      ...TOGETHER,
      run: (asked: readonly RepeatedKey[]) => withoutDeadline(() => roundsByKey(submissions, asked)),
    }),
  };
}
