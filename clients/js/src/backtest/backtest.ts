import { luckOfPnl, luckOfWins, meanInterval, type MeanInterval, payoffOf, pnlChance } from '../rules.ts';
import { type AsOfMarket, asOf } from './as-of.ts';
import type { Past, PastRound } from './past.ts';
import { type Answer, type ScoredAnswer, scored } from './scored-answer.ts';

/** Answers a round from its knowledge at its minute. */
export type Agent = (market: AsOfMarket) => Answer | Promise<Answer>;

export interface BacktestOptions {
  readonly past: Past;
  readonly agent: Agent;
  /** The minute of the answer, from 0 to below 60, for all rounds or by the round; default: 0. */
  readonly at?: number | ((round: PastRound) => number);
  /** Earlier rounds are skipped: a model may have seen how they ended. */
  readonly afterCutoff?: Date | undefined;
  /** Called before each round with its number, from 1. */
  readonly onRound?: ((done: number) => void) | undefined;
  /** Called if the agent fails; the round is skipped. Unset: the error is thrown. */
  readonly onFailure?: ((round: PastRound, error: unknown) => void) | undefined;
}

/** The agent's result. */
export interface Backtest {
  /** The first and last answered rounds, as `2026-01-31 12:00:00`; null without any. */
  readonly from: string | null;
  readonly to: string | null;
  /** Rounds with an outcome that the agent was asked. */
  readonly rounds: number;
  readonly void: number;
  /** Skipped because of the cutoff. */
  readonly before_cutoff: number;
  readonly answers: number;
  readonly sat_out: number;
  readonly failed: number;
  /** Includes bonuses of streaks; those of places are unknown. */
  readonly points: number;
  readonly pnl_usd: number;
  readonly right_share: number | null;
  readonly brier: number | null;
  /** The mean with its 95 % interval; null for fewer than 20 answers with a known edge. */
  readonly edge: MeanInterval | null;
  /** The share of guessers with a worse result from the same confidences in the same rounds. */
  readonly luck: { readonly wins: number; readonly pnl: number };
}

/** The result and its answers, the oldest first. */
export interface BacktestRun {
  readonly result: Backtest;
  readonly answers: readonly ScoredAnswer[];
}

/** Asks an agent every round of a recorded past, and scores its answers by the service's rules. */
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

/** Sums of whole cents are exact. */
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
