import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { backtest, type Backtest } from '../backtest/backtest.ts';
import { candleFolder } from '../backtest/candle-folder.ts';
import { exportedRounds } from '../backtest/exported-rounds.ts';
import type { Past } from '../backtest/past.ts';
import { type Place, type Rank, rankAmong } from '../backtest/rank.ts';
import type { ScoredAnswer } from '../backtest/scored-answer.ts';
import { instantOf } from '../../../../src/rules/hours.ts';
import { agentOf } from './backtest-agent.ts';
import type { Command, Context, Given } from './command.ts';
import { EXIT, UsageError } from './exit-codes.ts';
import { columns, percent, signed } from './figures.ts';
import { typesOf } from './review-figures.ts';
import { groupRow } from './review.ts';

/** Reasons for unanswered rounds. */
const FAILURES_SHOWN = 5;

const LEAK =
  'A model may know the outcomes of these rounds: --after-cutoff DATE leaves out those before the end of its training.';

/** Candles of 14 days in the package; questions need those of a week. */
const SAMPLE = {
  folder: fileURLToPath(new URL('../sample', import.meta.url)),
  from: new Date('2026-01-08T01:00Z'),
  to: new Date('2026-01-15T00:00Z'),
  note: 'The prices of the sample are simulated: they follow no exchange.',
};

export const BACKTEST: Command = {
  name: 'backtest',
  usage: "--answer './bot' | --agent ./agent.mjs [--at MINUTE] [--sample | --candles FOLDER --from TIME --to TIME]",
  about: 'runs a program or a function on past rounds, and scores it by the rules of the service',
  options: {
    answer: {
      type: 'string',
      value: 'COMMAND',
      about: 'a program as for "watch"; on rounds of the service, market has only the assets of the round',
    },
    agent: {
      type: 'string',
      value: 'FILE',
      about: 'a module whose default function receives the market of that moment',
    },
    at: { type: 'string', value: 'MINUTE', about: 'of the hour, 0 to 59, at which it answers (0)' },
    candles: {
      type: 'string',
      value: 'FOLDER',
      about: 'with BTC-USD-1m.csv (5m, 1h, .csv.gz) and so on, instead of the rounds of the service',
    },
    sample: { type: 'boolean', about: 'a week of simulated prices, without any service' },
    from: { type: 'string', value: 'TIME', about: 'the first hour, such as 2026-01-31 or 2026-01-31T12:00:00Z' },
    to: { type: 'string', value: 'TIME', about: 'the first hour that is left out' },
    'after-cutoff': { type: 'string', value: 'DATE', about: 'leaves out rounds that a model may have seen' },
    rank: { type: 'boolean', about: "with --candles: also its place among the service's agents in these hours" },
    output: { type: 'string', value: 'FILE', about: 'where to write each answer, a JSON object a line' },
  },
  async run(context) {
    const { given, output, signal } = context;
    const agent = await agentOf(context);
    const at = given.whole('at', { min: 0, max: 59 }) ?? 0;
    const afterCutoff = timeOf(given, 'after-cutoff');
    output.progress('Reading the past');
    const past = await pastOf(context, at);
    const warning = given.has('sample') ? SAMPLE.note : afterCutoff === undefined ? LEAK : null;
    if (warning !== null) output.note(output.paint('yellow', warning));
    let failures = 0;
    const { result, answers } = await backtest({
      past,
      agent,
      at,
      afterCutoff,
      onRound(done) {
        signal.throwIfAborted();
        output.progress(`Backtesting: ${done} of ${past.count} rounds`);
      },
      onFailure({ hourStart }, error) {
        signal.throwIfAborted();
        failures += 1;
        const message = error instanceof Error ? error.message : String(error);
        if (failures <= FAILURES_SHOWN) output.note(`${hourStart.toISOString()} is not answered: ${message}`);
      },
    });
    const rank = await rankOf(context, result);
    output.idle();
    const file = given.text('output');
    if (file !== undefined) await writeFile(file, answers.map((one) => `${JSON.stringify(one)}\n`).join(''));
    output.json({ ...result, rank, by_type: typesOf(answers), warning });
    print({ result, rank, answers }, context);
    return failures > 0 ? EXIT.failed : EXIT.done;
  },
};

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ]((?:[01]\d|2[0-3]):\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** Times without a zone are UTC; `Date` reads other forms, such as 1/31/2026, as local time. */
function timeOf(given: Given, name: string): Date | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const [, day, time = '00:00', zone = 'Z'] = TIME.exec(text.toUpperCase()) ?? [];
  const found = instantOf(`${day}T${time}${zone}`);
  if (found !== null) return found;
  throw new UsageError(`--${name} must be a UTC time such as 2026-01-31 or 2026-01-31T12:00:00Z (got ${text}).`);
}

const DAYS = 30;

/** The hours of the sample or a folder, or else the service's rounds, by default of its last 30 days. */
async function pastOf({ given, connect, output, signal }: Context, untilMinute: number): Promise<Past> {
  const [folder, from, to] = [given.text('candles'), timeOf(given, 'from'), timeOf(given, 'to')];
  if (given.has('sample')) {
    if (folder === undefined) return candleFolder(SAMPLE.folder, { from: from ?? SAMPLE.from, to: to ?? SAMPLE.to });
    throw new UsageError('Only one of --sample and --candles must be given.');
  }
  if (folder !== undefined) {
    if (from !== undefined && to !== undefined) return candleFolder(folder, { from, to });
    throw new UsageError('With --candles, --from and --to must give the hours.');
  }
  const client = connect();
  const onList = (name: string): void => output.progress(`Reading the ${name} of ${client.url}`);
  const [newest] = (await client.recentRounds({ limit: 1 }, { signal })).rounds;
  const first = from ?? new Date(Date.parse(newest?.starts_at ?? '1970') - DAYS * 86_400_000);
  return exportedRounds(client, { from: first, ...(to && { to }), untilMinute, signal, onList });
}

async function rankOf({ given, connect, output, signal }: Context, result: Backtest): Promise<Rank | null> {
  const { from, to } = result;
  const isOffline = given.has('sample') || (given.text('candles') !== undefined && !given.has('rank'));
  if (from === null || to === null || isOffline) return null;
  output.progress('Reading the predictions of the agents');
  const filters = { status: 'resolved', from, to: `${to.slice(0, -2)}01` };
  return rankAmong(result, connect().export('predictions', filters, { signal }));
}

interface Shown {
  readonly result: Backtest;
  readonly rank: Rank | null;
  readonly answers: readonly ScoredAnswer[];
}

function print({ result, rank, answers }: Shown, { output }: Context): void {
  const { edge, luck } = result;
  const left = result.before_cutoff === 0 ? '' : `, ${result.before_cutoff} before the cutoff left out`;
  const without = `${result.sat_out} sat out, ${result.failed} failed`;
  output.line(`${output.paint('bold', `${result.answers} answers`)} in ${result.rounds} rounds${left} (${without})`);
  if (result.answers === 0) return;
  output.line(
    edge === null
      ? '  edge unknown: it needs 20 answers at minutes with known prices'
      : `  edge ${signed(edge.mean, 4)} (95 %: ${signed(edge.low, 4)} to ${signed(edge.high, 4)}), the mean gain of an answer over the price alone`,
  );
  output.line(
    `  ${signed(result.points)} points, ${signed(result.pnl_usd, 2)} USD, ${percent(result.right_share)} right, Brier score ${result.brier?.toFixed(3)}`,
  );
  output.line(
    `  better than ${percent(luck.wins)} of guessers by answers that were right, ${percent(luck.pnl)} by USD`,
  );
  if (rank !== null) {
    const places = [`${placeText(rank.points)} by points`, `${placeText(rank.pnl)} by USD`];
    if (rank.edge !== null) places.push(`${placeText(rank.edge)} by edge`);
    output.line(`  among the agents of these rounds: ${places.join(', ')}`);
  }
  const types = typesOf(answers);
  if (types.length === 0) return;
  output.line(`\n${output.paint('bold', 'Edge by question')}`);
  columns([['', 'answers', 'edge', '±'], ...types.map(groupRow)]).forEach((row) => output.line(`  ${row}`));
}

const placeText = ({ place, of }: Place): string => `place ${place} of ${of}`;
