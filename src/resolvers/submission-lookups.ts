import { batcher, type Batcher } from '../batching.ts';
import type { Statements } from '../database/statements.ts';
import { withoutDeadline } from '../deadline.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import { type PredictionKey, type RepeatedKey, roundsByKey, whichPredicted } from '../reads/predictions.ts';
import { hourOf } from '../rules/hours.ts';
import { openRoundAt, type Reconcile } from './current-round.ts';

/**
 * The lookups that find why a submission was refused. At the edge of an hour thousands of submissions may ask at once:
 * all that ask while a statement is in flight share the next, so that none waits for a connection behind the others.
 */
export interface SubmissionLookups {
  /** The round that takes predictions at a time, or null. */
  readonly openRound: Batcher<Date, RoundRow | null>;
  /** Whether the prediction is there, durable then. */
  readonly hasPredicted: Batcher<PredictionKey, boolean>;
  /** The round of the agent's latest prediction with the key, durable then, or null. */
  readonly roundByKey: Batcher<RepeatedKey, number | null>;
}

/** Two statements at a time: the second need not wait for the disk that the first waits for. */
const TOGETHER = { inFlight: 2, delayToNextTick: true, max: 500 } as const;

/** `urgent`: on its connections nothing waits for a disk. */
export function submissionLookups(
  { urgent, submissions }: { readonly urgent: Statements; readonly submissions: Statements },
  reconcile: Reconcile,
): SubmissionLookups {
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
    hasPredicted: batcher({
      ...TOGETHER,
      run: (asked: readonly PredictionKey[]) => withoutDeadline(() => whichPredicted(submissions, asked)),
    }),
    roundByKey: batcher({
      ...TOGETHER,
      run: (asked: readonly RepeatedKey[]) => withoutDeadline(() => roundsByKey(submissions, asked)),
    }),
  };
}
