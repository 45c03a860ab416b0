import type { Asset } from '../rules/assets.ts';
import { agree, type Agreement, type Figures } from './agreement.ts';
import { isDecimal } from './figures.ts';
import { judge } from './final-candle.ts';
import type { HourAnswer } from './hour-answers.ts';
import type { HourCandle, HourProblem, HourVerdict, SourceCandle } from './market.ts';

export interface VerdictAt {
  readonly hours: readonly Date[];
  readonly now: Date;
  /** How many sources must agree. */
  readonly least: number;
}

/** A source's candle of an hour before it is known which of them agree. */
interface Candidate extends Omit<SourceCandle, 'counted'> {
  /** Its figures when the candle is final and sound, else null. */
  readonly final: Figures | null;
}

const WHY_NOT: Readonly<Record<Exclude<Agreement<unknown>['kind'], 'agreed'>, string>> = {
  too_few: 'No second source has a final candle to agree with.',
  apart: 'No two sources agree within 0.5 %.',
  ambiguous: 'Two sets of sources agree equally closely, and which is right cannot be told.',
};
const OUTSIDE = 'It differs by more than 0.5 % from the sources that agree.';

/** What the answers of all sources come to, asset by asset and hour by hour: a pure function of them. */
export function verdictOf(answers: readonly HourAnswer[], at: VerdictAt): HourVerdict {
  const assets = [...new Set(answers.map(({ asset }) => asset))];
  const decided = assets.flatMap((asset) => {
    const ofAsset = answers.filter((answer) => answer.asset === asset);
    return at.hours.map((hourStart) => decideHour(ofAsset, { asset, hourStart }, at));
  });
  const problems = decided.flatMap(({ problem }) => problem ?? []);
  return {
    candles: decided.flatMap(({ candle }) => candle ?? []),
    evidence: decided.flatMap(({ evidence }) => evidence),
    problem: problems.find((problem) => problem === 'sources_disagree') ?? problems[0] ?? null,
  };
}

interface DecidedHour {
  readonly candle: (HourCandle & { readonly asset: Asset }) | null;
  readonly evidence: readonly SourceCandle[];
  readonly problem: HourProblem | null;
}

function decideHour(
  answers: readonly HourAnswer[],
  of: { asset: Asset; hourStart: Date },
  { now, least }: VerdictAt,
): DecidedHour {
  const candidates = answers.map((answer) => candidate(answer, of.hourStart, now));
  const finals = candidates.flatMap(({ source, final }) => (final === null ? [] : [{ source, ...final }]));
  const agreement = agree(finals, least);
  const evidence = candidates.map((one) => evidenceOf(one, agreement));
  if (agreement.kind === 'agreed') return { candle: { ...of, ...agreement.figures }, evidence, problem: null };
  const problem = agreement.kind === 'too_few' ? 'no_prices' : 'sources_disagree';
  return { candle: null, evidence, problem };
}

function candidate(answer: HourAnswer, hourStart: Date, now: Date): Candidate {
  const { source, asset, shown, origin, fetchedAt } = answer;
  const { candle, leftOut } =
    shown === null ? { candle: null, leftOut: answer.failure } : judge(shown, hourStart, { now, fetchedAt });
  return {
    source,
    asset,
    hourStart,
    open: readable(candle?.open),
    high: readable(candle?.high),
    low: readable(candle?.low),
    close: readable(candle?.close),
    volume: readable(candle?.volume),
    ...origin,
    fetchedAt,
    leftOut,
    final: leftOut === null ? candle : null,
  };
}

function readable(figure: string | undefined): string | null {
  return figure !== undefined && isDecimal(figure) ? figure : null;
}

function evidenceOf({ final, ...shown }: Candidate, agreement: Agreement<{ readonly source: string }>): SourceCandle {
  const counted = agreement.kind === 'agreed' && agreement.members.some(({ source }) => source === shown.source);
  if (counted || final === null) return { ...shown, counted };
  return { ...shown, counted, leftOut: agreement.kind === 'agreed' ? OUTSIDE : WHY_NOT[agreement.kind] };
}
