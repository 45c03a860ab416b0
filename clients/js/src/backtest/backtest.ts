import { luckOfPnl, luckOfWins, meanInterval, type MeanInterval, payoffOf, pnlChance } from '../rules.ts';
import { type AsOfMarket, asOf } from './as-of.ts';
import type { Past, PastRound } from './past.ts';
import { type Answer, type ScoredAnswer, scored } from './scored-answer.ts';

/** Answers a round from what could be known at its minute. */
export type Agent = (market: AsOfMarket) => Answer | Promise<Answer>;

export interface BacktestOptions {
  readonly past: Past;
  readonly agent: Agent;
  /** The minute of the hour at which it is asked, from 0 to below 60, for all rounds or by the round; unset: 0. */
  readonly at?: number | ((round: PastRound) => number);
  /** Rounds that start before are left out: a model may have seen how they ended. */
  readonly afterCutoff?: Date | undefined;
  /** Called after each round, with how many are done. */
  readonly onRound?: ((done: number) => void) | undefined;
  /** An answer that cannot be had costs its round alone: told here. Unset: it is thrown. */
  readonly onFailure?: ((round: PastRound, error: unknown) => void) | undefined;
}

/** What an agent would have done. */
export interface Backtest {
  /** Of the first and the last round that it was asked, as `2026-01-31 12:00:00`; null without any. */
  readonly from: string | null;
  readonly to: string | null;
  /** Rounds that had an outcome, and that it was asked. */
  readonly rounds: number;
  readonly void: number;
  /** Left out, since they started before the cutoff. */
  readonly before_cutoff: number;
  readonly answers: number;
  readonly sat_out: number;
  readonly failed: number;
  /** With what streaks bring; places bring more, which nobody can say. */
  readonly points: number;
  readonly pnl_usd: number;
  readonly right_share: number | null;
  readonly brier: number | null;
  /** The mean, with its 95 % interval; null for fewer than 20 answers whose edge is known. */
  readonly edge: MeanInterval | null;
  /** The share of guessers who would have done worse with the same confidences in the same rounds. */
  readonly luck: { readonly wins: number; readonly pnl: number };
}

/** The result, and the answers that it is made of, the oldest first. */
export interface BacktestRun {
  readonly result: Backtest;
  readonly answers: readonly ScoredAnswer[];
}

/** Asks an agent all rounds of a past, and scores its answers by the service's own rules. */
export async function backtest(options: BacktestOptions): Promise<BacktestRun> {
  const { past, agent, at = 0, afterCutoff, onRound, onFailure } = options;
  const answers: ScoredAnswer[] = [];
  const counts = { rounds: 0, void: 0, before_cutoff: 0, sat_out: 0, failed: 0 };
  let [done, streak] = [0, 0];
  for await (const round of past.rounds()) {
    onRound?.((done += 1));
    if (afterCutoff !== undefined && round.hourStart < afterCutoff) counts.before_cutoff += 1;
    else if (round.outcome.kind === 'void') counts.void += 1;
    else {
      counts.rounds += 1;
      const minute = typeof at === 'number' ? at : at(round);
      try {
        const answer = await agent(asOf(round, minute));
        if (answer === null) counts.sat_out += 1;
        else {
          const one = scored(round, round.outcome.answer, { answer, minute, streak });
          streak = one.is_correct === 1 ? streak + 1 : 0;
          answers.push(one);
        }
      } catch (error) {
        if (onFailure === undefined) throw error;
        counts.failed += 1;
        onFailure(round, error);
      }
    }
  }
  return { result: { ...spanOf(answers), ...counts, ...figuresOf(answers) }, answers };
}

function spanOf(answers: readonly ScoredAnswer[]): Pick<Backtest, 'from' | 'to'> {
  return { from: answers[0]?.start_time ?? null, to: answers.at(-1)?.start_time ?? null };
}

type Figures = Pick<Backtest, 'answers' | 'points' | 'pnl_usd' | 'right_share' | 'brier' | 'edge' | 'luck'>;

function figuresOf(answers: readonly ScoredAnswer[]): Figures {
  const n = answers.length;
  const sumOf = (figure: (one: ScoredAnswer) => number): number => answers.reduce((sum, one) => sum + figure(one), 0);
  const edges = answers.flatMap(({ edge }) => edge ?? []);
  const wins = sumOf(({ is_correct: right }) => right);
  return {
    answers: n,
    points: sumOf(({ score, streak_bonus: bonus }) => score + bonus),
    pnl_usd: centsOf(answers) / 100,
    right_share: n === 0 ? null : wins / n,
    brier: n === 0 ? null : sumOf(({ brier }) => brier) / n,
    edge: meanInterval({
      n: edges.length,
      sum: edges.reduce((sum, edge) => sum + edge, 0),
      squareSum: edges.reduce((sum, edge) => sum + edge * edge, 0),
    }),
    luck: { wins: luckOfWins(wins, byChoices(answers)), pnl: luckOf(answers) },
  };
}

/** Whole cents, whose sums are exact. */
const cents = (usd: string | number): number => Math.round(100 * Number(usd));

function centsOf(answers: readonly ScoredAnswer[]): number {
  return answers.reduce((sum, { pnl_usd: pnl }) => sum + cents(pnl), 0);
}

function byChoices(answers: readonly ScoredAnswer[]) {
  return [2, 4, 8].map((choiceCount) => ({
    choiceCount,
    n: answers.filter(({ answers: k }) => k === choiceCount).length,
  }));
}

function luckOf(answers: readonly ScoredAnswer[]): number {
  const chance = { mean: 0, variance: 0 };
  for (const { confidence, answers: k } of answers) {
    const [won, lost] = [true, false].map((correct) => cents(payoffOf(confidence, k, correct).pnlUsd));
    const { mean, variance } = pnlChance({ won: won ?? 0, lost: lost ?? 0 }, k);
    chance.mean += mean;
    chance.variance += variance;
  }
  return luckOfPnl(centsOf(answers), chance);
}
