import type { Client } from '../client.ts';
import { HourcastError } from '../errors.ts';
import { pause } from '../patience.ts';
import type { Clock, Round } from '../reference.ts';
import { ProgramFailed, runProgram } from './answer-program.ts';
import { inShort } from './figures.ts';
import type { Output } from './output.ts';
import { showReceipt } from './receipt.ts';

interface Answering {
  readonly client: Client;
  /** The caller's program. */
  readonly command: string;
  /** The minute of the hour; null: at once. */
  readonly minute: number | null;
  readonly output: Output;
  readonly signal: AbortSignal;
}

const MINUTE_MS = 60_000;
const LONGEST_WAIT_MS = 15_000;

/**
 * Answers a round at its minute with the program's output. Returns true if the service then has an answer of the agent, and
 * false if the program gave none. Reports an error; throws it again unless it is the program's.
 */
export async function answerRound(round: Round, answering: Answering): Promise<boolean> {
  const { client, output, signal } = answering;
  try {
    const clock = await untilMinute(round, answering);
    const { recent_predictions: own } = await client.me({ signal });
    if (own.some(({ round_id: id }) => id === round.id)) {
      output.note(`Round ${round.id} is already answered.`);
      return true;
    }
    const answer = await askProgram(round, clock, answering);
    if (answer === null) {
      output.note(`Round ${round.id}: the program gave no answer.`);
      return false;
    }
    const submission = await client.predict({ round_id: round.id, ...answer }, { signal });
    const { prediction, leaf_hash = null } = submission;
    output.json({ event: 'answer', round_id: round.id, ...answer, id: prediction.id, leaf_hash });
    output.line(
      `Round ${round.id}: ${output.paint('bold', `${answer.prediction}, ${answer.confidence} %`)}. ${inShort(round.question)}`,
    );
    showReceipt(submission, output);
    return true;
  } catch (error) {
    if (!signal.aborted) reportFailure(output, { round_id: round.id, what: 'is not answered', error });
    if (error instanceof ProgramFailed) return false;
    throw error;
  }
}

/** Returns the service's clock, at once if the minute is over. */
async function untilMinute(round: Round, { client, minute, signal }: Answering): Promise<Clock> {
  const due = Date.parse(round.starts_at) + (minute ?? 0) * MINUTE_MS;
  for (;;) {
    // Read again: the machine may sleep meanwhile, and the service may have another speed since a restart.
    const { clock } = await client.health({ signal });
    const waitMs = (due - Date.parse(clock.now)) / clock.speed;
    if (waitMs <= 0) return clock;
    await pause(Math.min(waitMs, LONGEST_WAIT_MS), signal);
  }
}

/** The program gets the round, the prices and their probabilities. */
async function askProgram(round: Round, { speed }: Clock, { client, command, signal }: Answering) {
  const [current, market, { reference }] = await Promise.all([
    client.currentRound({ signal }),
    client.market({ signal }),
    client.reference({ round_id: round.id }, { signal }),
  ]);
  if (current.round?.id !== round.id) throw new ProgramFailed("the round ended before the program's minute");
  const input = JSON.stringify({ ...current, market, reference: reference.at(-1)?.probabilities ?? [] });
  return runProgram(command, { input, timeoutMs: (current.time_remaining_seconds * 1000) / speed, signal });
}

interface Failure {
  readonly round_id: number;
  /** Follows the round's number in the sentence. */
  readonly what: string;
  readonly error: unknown;
}

export function reportFailure(output: Output, { round_id, what, error }: Failure): void {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof HourcastError ? error.code : 'no_answer';
  output.json({ event: 'failure', round_id, error: message, code });
  output.note(`Round ${round_id} ${what}: ${message}`);
}
