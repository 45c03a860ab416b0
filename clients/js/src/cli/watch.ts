import type { Client } from '../client.ts';
import { HourcastError } from '../errors.ts';
import { answerRound, reportFailure } from './answer-round.ts';
import type { Command, Context } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { outcomeLine, outcomeOf } from './outcomes.ts';

/** Later rounds would be refused too. */
const isFinal = (error: unknown): boolean => error instanceof HourcastError && [401, 403].includes(error.status ?? 0);

export const WATCH: Command = {
  name: 'watch',
  usage: "--answer './bot' [--at MINUTE] [--rounds COUNT]",
  about: 'answers each round with what a program of yours prints, until Ctrl-C',
  options: {
    answer: {
      type: 'string',
      value: 'COMMAND',
      about: 'gets the round as JSON on its input; prints "BTC 60" or {"prediction": "BTC", "confidence": 60}',
    },
    at: { type: 'string', value: 'MINUTE', about: 'of the hour, 0 to 59, at which it is called; otherwise at once' },
    rounds: { type: 'string', value: 'COUNT', about: 'answers this many rounds, and exits when they are over' },
  },
  needsKey: true,
  async run(context) {
    const { given, connect, output, signal } = context;
    const command = given.text('answer');
    if (command === undefined) throw new UsageError("--answer must name a program, such as --answer './bot'.");
    const minute = given.whole('at', { min: 0, max: 59 }) ?? null;
    const rounds = given.whole('rounds', { min: 1, max: 1_000_000 }) ?? Infinity;
    const { agent } = await connect().me({ signal });
    // From here on no outage of the service ends the command.
    const client = connect({ patienceMs: Infinity });
    output.note(`${agent.name} watches ${client.url}; Ctrl-C ends it.`);
    return watch(context, { client, command, minute, rounds });
  },
};

interface Watch {
  readonly client: Client;
  readonly command: string;
  readonly minute: number | null;
  readonly rounds: number;
}

async function watch({ output, signal }: Context, { client, rounds, ...how }: Watch): Promise<number> {
  const ending = new AbortController();
  const end = (): void => ending.abort(signal.reason);
  signal.addEventListener('abort', end, { once: true });
  const answers = new Map<number, Promise<boolean>>();
  let over = 0;
  let failed = 0;
  let fatal: unknown;

  const considerCurrent = async (): Promise<void> => {
    const current = await client.currentRound({ signal: ending.signal }).catch((error: unknown) => {
      if (!(error instanceof HourcastError) || isFinal(error)) throw error;
      // The next heartbeat comes soon.
      output.note(error.message);
      return null;
    });
    const round = current?.round ?? null;
    if (round === null || answers.has(round.id) || answers.size >= rounds) return;
    const answered = answerRound(round, { ...how, client, output, signal: ending.signal });
    answers.set(round.id, answered);
    answered.catch((error: unknown) => {
      if (!isFinal(error)) return;
      fatal = error;
      ending.abort(error);
    });
  };

  const conclude = async (roundId: number): Promise<void> => {
    const isAnswered = await answers.get(roundId)?.catch(() => false);
    if (isAnswered === undefined) return;
    over += 1;
    if (!isAnswered) {
      failed += 1;
      return;
    }
    const outcome = await outcomeOf(client, roundId, ending.signal).catch((error: unknown) => {
      ending.signal.throwIfAborted();
      // Later rounds are still answered.
      failed += 1;
      reportFailure(output, { round_id: roundId, what: 'has no known outcome', error });
      return null;
    });
    if (outcome === null) return;
    output.json({ event: 'outcome', ...outcome });
    output.line(outcomeLine(outcome, output));
  };

  try {
    for await (const event of client.events({ heartbeats: true, signal: ending.signal })) {
      if (event.kind === 'HEARTBEAT' || event.kind === 'ROUND_OPENED') await considerCurrent();
      if (event.kind === 'ROUND_RESOLVED' || event.kind === 'ROUND_VOID') await conclude(event.round_id);
      if (over >= rounds) break;
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', end);
    ending.abort();
    await Promise.allSettled(answers.values());
  }
  if (fatal !== undefined) throw fatal;
  signal.throwIfAborted();
  return failed > 0 ? EXIT.failed : EXIT.done;
}
