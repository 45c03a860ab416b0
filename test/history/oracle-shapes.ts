import { SYMBOLS } from './candle-files.ts';
import { clockText, hourText } from './hours.ts';
import { bodyOf, textOf, type Body } from './json.ts';
import { decidingAssets, isChoice } from './oracle-questions.ts';
import { factsOf, type QuestionType, type RoundFacts } from './round-facts.ts';

interface Shape {
  readonly choices: number;
  readonly subject: boolean;
  readonly operators: readonly (string | null)[];
  readonly threshold: 'none' | 'signed' | 'positive';
}

const CHOICE = { subject: false, operators: [null], threshold: 'none' } as const;
const YES_NO = { choices: 2, subject: true } as const;

const SHAPES: Record<QuestionType, Shape> = {
  relative: { ...CHOICE, choices: 2 },
  best_performer: { ...CHOICE, choices: 8 },
  worst_performer: { ...CHOICE, choices: 8 },
  podium: { ...CHOICE, choices: 4 },
  volatility: { ...CHOICE, choices: 2 },
  direction: { ...YES_NO, operators: ['>'], threshold: 'none' },
  threshold: { ...YES_NO, operators: ['>=', '<='], threshold: 'signed' },
  touch: { ...YES_NO, operators: ['>=', '<='], threshold: 'signed' },
  magnitude: { ...YES_NO, operators: ['>='], threshold: 'positive' },
  range: { ...YES_NO, operators: ['within'], threshold: 'positive' },
  momentum: { ...YES_NO, operators: ['same_sign'], threshold: 'none' },
  beat_market: { ...YES_NO, operators: ['>'], threshold: 'none' },
  breadth: { ...YES_NO, subject: false, operators: ['>='], threshold: 'none' },
};

/** What is wrong with a round's question, the outcome left aside. */
export function faultsOfQuestion(body: Body): string[] {
  const round = factsOf(body);
  const shape = SHAPES[round.type];
  const fixed: [string, boolean][] = [
    ['choices', round.choices.length === shape.choices && new Set(round.choices).size === shape.choices],
    ['the values of choices', fitsFormat(round)],
    ['prediction_format', textOf(body, 'prediction_format') === (isChoice(round) ? 'choice' : 'boolean')],
    ['params.subject', shape.subject ? isSymbol(round.subject) : round.subject === null],
    ['params.operator', shape.operators.includes(round.operator)],
    ['params.threshold_pct', fitsThreshold(round, shape.threshold)],
    ['params.n', round.type === 'breadth' ? isCount(round.n) : round.n === null],
    ['assets', fitsAssets(body, round)],
    ['start_time', textOf(body, 'start_time') === hourText(round.hour)],
    ['end_time', textOf(body, 'end_time') === hourText(round.hour + 1)],
    ['arena_points_pool', body['arena_points_pool'] === 2500],
    ['vertical_id', body['vertical_id'] === 1],
    ['the text', faultOfText(textOf(body, 'question'), round) === undefined],
  ];
  return fixed.flatMap(([what, right]) =>
    right ? [] : [`round ${round.id} (${round.type}): ${what} cannot be: ${JSON.stringify(body)}`],
  );
}

function fitsFormat(round: RoundFacts): boolean {
  return isChoice(round) ? round.choices.every(isSymbol) : round.choices.join() === 'YES,NO';
}

/** The sign of a threshold and its operator say the same. */
function fitsThreshold(round: RoundFacts, threshold: Shape['threshold']): boolean {
  if (threshold === 'none') return round.thresholdPct === null;
  if (round.thresholdPct === null || round.thresholdPct === 0) return false;
  return round.thresholdPct > 0 ? round.operator !== '<=' : threshold === 'signed' && round.operator === '<=';
}

function fitsAssets(body: Body, round: RoundFacts): boolean {
  const assets = bodyOf(body, 'assets');
  const identified = Object.values(assets).every((id) => typeof id === 'string' && id !== '');
  return identified && Object.keys(assets).toSorted().join() === [...decidingAssets(round)].toSorted().join();
}

function faultOfText(question: string, round: RoundFacts): string | undefined {
  const named =
    round.subject === null ? (round.choices.length < 8 && isChoice(round) ? round.choices : []) : [round.subject];
  const figures = [round.thresholdPct === null ? null : Math.abs(round.thresholdPct), round.n].filter(
    (figure) => figure !== null,
  );
  const wanted = [...named, ...figures.map(String), clockText(round.hour), clockText(round.hour + 1), 'UTC'];
  return wanted.find((word) => !question.includes(word));
}

function isSymbol(name: string | null): boolean {
  return SYMBOLS.some((symbol) => symbol === name);
}

function isCount(n: number | null): boolean {
  return Number.isInteger(n) && Number(n) >= 1 && Number(n) <= 8;
}
