import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { type CandleFile, openCandleFile } from '../src/market/replay/candle-file.ts';
import { hourOfCandles } from '../src/market/replay/price-history.ts';
import { type Asset, ASSETS } from '../src/rules/assets.ts';
import { HOUR } from '../src/rules/hours.ts';
import { planOf, questionOf } from '../src/rules/questions/asking.ts';
import { outcomeOf } from '../src/rules/questions/deciding.ts';
import { type HistoryHour, QUESTION_TYPES, type QuestionType } from '../src/rules/questions/question.ts';
import { HISTORY_HOURS } from '../src/rules/questions/thresholds.ts';

/**
 * Asks and decides every hour of a folder of hourly candles (`<SYM>-USD-1h.csv[.gz]`) as the service does, and prints how often
 * each answer was right. Exits with 1 if YES is outside 35 to 65 of 100 rounds of a boolean type, or ties and voids outside halts
 * exceed 0.1 % of the rounds.
 */
const LEAST_YES = 0.35;
const MAX_YES = 0.65;
const MAX_VOID = 0.001;

interface Tally {
  rounds: number;
  ties: number;
  readonly wins: Map<string, number>;
  readonly offered: Map<string, number>;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: npm run yes-share -- <folder of hourly candles>');

const files = await Promise.all(ASSETS.map((asset) => openFile(folder, asset)));
const first = Math.max(...files.map((file) => file.startAt(0)));
const last = Math.min(...files.map((file) => file.startAt(file.length - 1)));
const hours = Array.from({ length: (last - first) / HOUR + 1 }, (_, place) => candlesAt(first + place * HOUR));

const tallies = new Map<QuestionType, Tally>(QUESTION_TYPES.map((type) => [type, newTally()]));
let inHalts = 0;
// The first hours have a short history, as in a young service.
for (let place = 1; place < hours.length; place++) if (play(place) === 'no_prices') inHalts++;
process.exitCode = print() ? 0 : 1;

async function openFile(from: string, asset: Asset): Promise<CandleFile> {
  const plain = join(from, `${asset}-USD-1h.csv`);
  return openCandleFile(existsSync(plain) ? plain : `${plain}.gz`, HOUR);
}

function candlesAt(start: number): HistoryHour {
  const found = ASSETS.map((asset, place) => {
    const file = files[place];
    return [asset, file === undefined ? null : hourOfCandles(file, start)] as const;
  });
  return Object.fromEntries(found.filter(([, candle]) => candle !== null));
}

/** The round is stored during the hour before it, so its history ends at that hour's start. */
function play(place: number): 'answer' | 'tie' | 'no_prices' {
  const hourStart = new Date(first + place * HOUR);
  const history = hours.slice(Math.max(0, place - 1 - HISTORY_HOURS), place - 1);
  const question = questionOf(planOf(hourStart), hourStart, history);
  const outcome = outcomeOf(question, hours[place] ?? {}, hours[place - 1] ?? {});
  if (outcome.kind === 'void' && outcome.reason === 'no_prices') return 'no_prices';
  const tally = tallies.get(question.questionType) ?? newTally();
  tally.rounds++;
  for (const choice of question.choices) count(tally.offered, choice);
  if (outcome.kind === 'answer') count(tally.wins, outcome.answer);
  else tally.ties++;
  return outcome.kind === 'answer' ? 'answer' : 'tie';
}

/** Returns whether every figure is within its bounds. */
function print(): boolean {
  const rounds = [...tallies.values()].reduce((sum, tally) => sum + tally.rounds, 0);
  const ties = [...tallies.values()].reduce((sum, tally) => sum + tally.ties, 0);
  const from = new Date(first + HOUR).toISOString();
  writeLine(
    `${rounds} decided rounds from ${from} to ${new Date(last).toISOString()}; ${inHalts} more in halts without prices`,
  );
  let even = true;
  writeLine('\nboolean type      rounds   YES %');
  for (const [type, tally] of tallies) {
    if (!tally.offered.has('YES')) continue;
    const share = (tally.wins.get('YES') ?? 0) / tally.rounds;
    const within = share >= LEAST_YES && share <= MAX_YES;
    even &&= within;
    writeLine(
      `${type.padEnd(16)} ${String(tally.rounds).padStart(7)}  ${percent(share)}${within ? '' : '  outside 35-65'}`,
    );
  }
  writeLine('\nchoice type       rounds   ties   wins in % of the rounds that offered the choice');
  for (const [type, tally] of tallies) if (!tally.offered.has('YES')) writeLine(choiceLine(type, tally));
  const share = ties / rounds;
  const rare = share <= MAX_VOID;
  writeLine(
    `\nties and voids outside halts: ${ties} of ${rounds} rounds, ${percent(share, 3)} %${rare ? '' : ', above 0.1 %'}`,
  );
  return even && rare;
}

function choiceLine(type: QuestionType, { rounds, ties, wins, offered }: Tally): string {
  const shares = ASSETS.filter((asset) => offered.has(asset)).map(
    (asset) => `${asset} ${percent((wins.get(asset) ?? 0) / (offered.get(asset) ?? 1)).trim()}`,
  );
  return `${type.padEnd(16)} ${String(rounds).padStart(7)} ${String(ties).padStart(6)}   ${shares.join('  ')}`;
}

function newTally(): Tally {
  return { rounds: 0, ties: 0, wins: new Map(), offered: new Map() };
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function percent(share: number, digits = 1): string {
  return (100 * share).toFixed(digits).padStart(6);
}

function writeLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
