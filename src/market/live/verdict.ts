import type { Asset } from '../../rules/assets.ts';
import { isDecimal } from '../decimals.ts';
import { type Figures, figuresOf } from '../figures.ts';
import { agree, type Agreement } from './agreement.ts';
import { judge } from './final-candle.ts';
import type { HourAnswer } from './hour-request.ts';
import type { HourProblem, HourVerdict, SourceCandle } from '../market.ts';

interface VerdictInputs {
  readonly hours: readonly Date[];
  readonly now: Date;
  readonly min: number;
  readonly down: readonly string[];
}

interface JudgedCandle extends Omit<SourceCandle, 'counted'> {
  readonly final: Figures | null;
  /** Its source may still show a final one, and is not down. */
  readonly isLate: boolean;
}

const WHY_NOT: Readonly<Record<Exclude<Agreement<unknown>['kind'], 'agreed'>, string>> = {
  too_few: 'No second source has a final candle to agree with.',
  apart: 'No two sources agree within 0.5 %.',
  ambiguous: 'Two sets of sources agree equally closely, so none can be chosen.',
};
const OUTSIDE = 'It differs by more than 0.5 % from the agreeing sources.';

export function verdictOf(answers: readonly HourAnswer[], at: VerdictInputs): HourVerdict {
  const assets = [...new Set(answers.map(({ asset }) => asset))];
  const decided = assets.flatMap((asset) => {
    const ofAsset = answers.filter((answer) => answer.asset === asset);
    return at.hours.map((hourStart) => decideHour(ofAsset, { asset, hourStart }, at));
  });
  const problems = decided.flatMap(({ problem }) => problem ?? []);
  const sources = [...new Set(answers.map(({ source }) => source))];
  const missing = decided.flatMap((hour) => hour.missing);
  const silent = answers.filter(({ shown }) => shown === null).map(({ source }) => source);
  return {
    candles: decided.flatMap(({ candle }) => candle ?? []),
    evidence: decided.flatMap(({ evidence }) => evidence),
    problem: problems.find((problem) => problem === 'sources_disagree') ?? problems[0] ?? null,
    late: sources.filter((source) => missing.includes(source) && !at.down.includes(source)),
    answered: sources.filter((source) => !silent.includes(source)).length,
    needed: at.min,
  };
}

function decideHour(answers: readonly HourAnswer[], of: { asset: Asset; hourStart: Date }, at: VerdictInputs) {
  const judged = answers.map((answer) => judgedCandle(answer, of.hourStart, at));
  const finals = judged.flatMap(({ source, final }) => (final === null ? [] : [{ source, ...final }]));
  const missing = judged.flatMap(({ source, final }) => (final === null ? [source] : []));
  const agreement = agree(finals, at.min);
  const evidence = judged.map((one) => evidenceOf(one, agreement));
  if (agreement.kind === 'agreed') return { candle: { ...of, ...agreement.figures }, evidence, problem: null, missing };
  const problem: HourProblem = agreement.kind === 'too_few' ? 'no_prices' : 'sources_disagree';
  return { candle: null, evidence, problem, missing };
}

function judgedCandle(answer: HourAnswer, hourStart: Date, { now, down }: VerdictInputs): JudgedCandle {
  const { source, asset, shown, failure, origin, fetchedAt } = answer;
  const { candle, leftOut, isPending } =
    shown === null
      ? { candle: null, leftOut: failure?.message ?? null, isPending: failure?.kind !== 'refused' }
      : judge(shown, hourStart, { now, fetchedAt });
  return {
    source,
    asset,
    hourStart,
    ...figuresOf((name) => readable(candle?.[name])),
    ...origin,
    fetchedAt,
    leftOut,
    final: leftOut === null ? candle : null,
    isLate: isPending && !down.includes(source),
  };
}

function readable(figure: string | undefined): string | null {
  return figure !== undefined && isDecimal(figure) ? figure : null;
}

function evidenceOf(
  { final, isLate, ...shown }: JudgedCandle,
  agreement: Agreement<{ readonly source: string }>,
): SourceCandle {
  const agreed = agreement.kind === 'agreed';
  const counted = agreed && agreement.members.some(({ source }) => source === shown.source);
  if (counted) return { ...shown, counted };
  const leftOut = final === null ? shown.leftOut : agreed ? OUTSIDE : WHY_NOT[agreement.kind];
  return { ...shown, counted, leftOut: agreed && isLate ? lateSentence(leftOut ?? '') : leftOut };
}

function lateSentence(why: string): string {
  return `It was late: ${why.charAt(0).toLowerCase()}${why.slice(1)}`;
}
