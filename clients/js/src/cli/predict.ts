import type { Client } from '../client.ts';
import type { CurrentRound, Round } from '../reference.ts';
import { type Command, type Context, wholeNumber } from './command.ts';
import { NoKeyError, UsageError } from './exit-codes.ts';
import { inShort } from './figures.ts';
import { outcomeLine, outcomeOf } from './outcomes.ts';
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

async function answer({ connect, words, given, output, signal }: Context, client: Client, round: Round): Promise<void> {
  const [word = '', text = ''] = words;
  const confidence = wholeNumber('CONFIDENCE', text.replace(/(\.0+)?%?$/, ''), { min: 0, max: 100 });
  const prediction = round.choices.find((choice) => choice.toLowerCase() === word.toLowerCase());
  if (prediction === undefined) {
    throw new UsageError(`ANSWER must be one of ${round.choices.join(', ')} (got ${word}). ${round.question}`);
  }
  // Opened before the answer, so that the round's end cannot be missed.
  const feed = client.events({ heartbeats: true, signal });
  const isDryRun = given.has('dry-run');
  const isAwaited = given.has('wait') && !isDryRun;
  if (isAwaited) await feed.next();
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
  const told = isDryRun ? 'would be taken' : 'is taken';
  output.line(
    `${output.paint('bold', `${prediction}, ${confidence} %`)} ${told} in round ${round.id}: ${inShort(round.question)}`,
  );
  showReceipt(submission, output);
  if (!isAwaited) return output.json(submission);
  output.progress(`Waiting for the end of round ${round.id}`);
  for await (const event of feed) {
    if (event.round_id !== round.id || !['ROUND_RESOLVED', 'ROUND_VOID'].includes(event.kind)) continue;
    // The feed outlasts an outage at the full hour, and so does this.
    const outcome = await outcomeOf(connect({ patienceMs: Infinity }), round.id, signal);
    output.json({ ...submission, outcome });
    return output.line(outcomeLine(outcome, output));
  }
  throw signal.reason;
}
