import type { Client } from '../client.ts';
import { HourcastError } from '../errors.ts';
import type { CurrentRound, Round } from '../reference.ts';
import { type Command, type Context, wholeNumber } from './command.ts';
import { NoKeyError, UsageError } from './exit-codes.ts';
import { inShort } from './figures.ts';
import { type Outcome, outcomeLine, outcomeOf } from './outcomes.ts';
import { showReceipt } from './receipt.ts';

export const PREDICT: Command = {
  name: 'predict',
  usage: '[ANSWER CONFIDENCE] [--wait] [--dry-run] [--rationale TEXT] [--model NAME]',
  about: 'answers the round that runs, such as "predict BTC 60"; without an answer it shows the round',
  options: {
    wait: { type: 'boolean', about: 'waits for the end of the round, and prints the result' },
    'dry-run': { type: 'boolean', about: 'only checks the answer; nothing is stored' },
    rationale: { type: 'string', value: 'TEXT', about: 'your reasons, which others see once the round is over' },
    model: { type: 'string', value: 'NAME', about: 'the program that answers, such as a language model' },
  },
  words: [0, 2],
  async run(context) {
    const { words, hasKey } = context;
    if (words.length === 1) throw new UsageError('An answer needs a confidence from 0 to 100 after it.');
    if (words.length === 2 && !hasKey) throw new NoKeyError();
    const client = context.connect();
    const current = await client.currentRound({ signal: context.signal });
    if (words.length === 0) return show(context, current);
    if (current.round === null) throw new Error('No round is running; the next one begins with the next hour.');
    return answer(context, client, current.round);
  },
};

function show({ output }: Context, current: CurrentRound): void {
  output.json(current);
  const { round, time_remaining_seconds: seconds } = current;
  if (round === null) return output.line('No round is running.');
  output.line(`Round ${round.id}, which ends in ${Math.ceil(seconds / 60)} min of the service's time`);
  output.line(output.paint('bold', round.question));
  output.line(`Answers: ${round.choices.join(', ')}`);
}

async function answer(context: Context, client: Client, round: Round): Promise<void> {
  const { words, given, output, signal } = context;
  const [word = '', text = ''] = words;
  const confidence = wholeNumber('CONFIDENCE', text.replace(/(\.0+)?%?$/, ''), { min: 0, max: 100 });
  const prediction = round.choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
  if (prediction === undefined) {
    throw new UsageError(`ANSWER must be one of ${round.choices.join(', ')} (got ${word}). ${round.question}`);
  }
  const isDryRun = given.has('dry-run');
  const submission = await client.predict(
    {
      round_id: round.id,
      prediction,
      confidence,
      dry_run: isDryRun,
      rationale: given.text('rationale'),
      model: given.text('model'),
    },
    { signal },
  );
  const ending = isDryRun ? 'would be taken' : 'is taken';
  output.line(
    `${output.paint('bold', `${prediction}, ${confidence} %`)} ${ending} in round ${round.id}: ${inShort(round.question)}`,
  );
  showReceipt(submission, output);
  if (isDryRun || !given.has('wait')) return output.json(submission);
  output.progress(`Waiting for the end of round ${round.id}`);
  const outcome = await outcomeAtEnd(context, round.id);
  output.json({ ...submission, outcome });
  output.line(outcomeLine(outcome, output));
}

/** Waits for the round's end, however long the service is away meanwhile. */
async function outcomeAtEnd({ connect, signal }: Context, roundId: number): Promise<Outcome> {
  const client = connect({ patienceMs: Infinity });
  const isOver = async (): Promise<boolean> => {
    try {
      const { round } = await client.round({ round_id: roundId }, { signal });
      return ['resolved', 'void'].includes(round.status);
    } catch (error) {
      if (error instanceof HourcastError && (error.status ?? 0) >= 500) return false;
      throw error;
    }
  };
  for await (const { kind, round_id } of client.events({ heartbeats: true, signal })) {
    const isEnd = round_id === roundId && ['ROUND_RESOLVED', 'ROUND_VOID'].includes(kind);
    // The round may have ended before the feed was open.
    if (isEnd || (kind === 'HEARTBEAT' && (await isOver()))) return outcomeOf(client, roundId, signal);
  }
  throw signal.reason;
}
