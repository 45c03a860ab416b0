import type { Client } from '../client.ts';
import type { OwnPrediction } from '../reference.ts';
import { signed } from './figures.ts';
import type { Output } from './output.ts';

/** `is_correct` and `score` are null in a void round. */
export type Outcome = Pick<
  OwnPrediction,
  'round_id' | 'prediction' | 'is_correct' | 'score' | 'streak_bonus' | 'place' | 'pnl_usd'
>;

const PAGE = 100;

/** The round must be decided. It may be many predictions ago, such as after hours without prices. */
export async function outcomeOf(client: Client, roundId: number, signal: AbortSignal): Promise<Outcome> {
  let after: string | undefined;
  for (;;) {
    const { predictions, next } = await client.myPredictions({ limit: PAGE, after }, { signal });
    // Newest first.
    const own = predictions.find(({ round_id: id }) => id <= roundId);
    if (own?.round_id === roundId) {
      const { round_id, prediction, is_correct, score, streak_bonus, place, pnl_usd } = own;
      return { round_id, prediction, is_correct, score, streak_bonus, place, pnl_usd };
    }
    if (own !== undefined || next === null) throw new Error(`Your agent has no prediction in round ${roundId}.`);
    after = next;
  }
}

export function outcomeLine({ round_id: id, prediction, is_correct, score, ...more }: Outcome, output: Output): string {
  if (score === null) return `Round ${id} is void: no totals change.`;
  const points = score + (more.streak_bonus ?? 0);
  const verdict = is_correct === 1 ? output.paint('green', 'right') : output.paint('red', 'wrong');
  return `Round ${id}: ${prediction} was ${verdict}, ${signed(points)} points, ${signed(more.pnl_usd ?? 0, 2)} USD, place ${more.place}`;
}
