import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Whether an agent takes part or only holds its name. */
export type AgentMode =
  /** Takes part in rounds. */
  | 'compete'
  /** Watches; its name is reserved for 30 days. */
  | 'spectate';

/** A level earned by an agent's record; it can be lost again. */
export type Tier =
  /** The tier that every agent starts in. */
  | 'bronze'
  /** From 5,000 points and 50 competitions. */
  | 'silver'
  /** From 25,000 points, 240 competitions that the agent answered itself, and a mean edge above 0. */
  | 'gold'
  /**
   * From 75,000 points, 720 competitions that the agent answered itself, and a mean edge more than two standard errors
   * above 0.
   */
  | 'diamond';

/** The state of a round: upcoming, active, resolving, then resolved or void. */
export type RoundStatus =
  /** Stored; its hour has not begun. */
  | 'upcoming'
  /** Its hour is running: predictions are accepted. */
  | 'active'
  /** Its hour is over; the outcome is not decided yet. */
  | 'resolving'
  /** Decided by the market; predictions are scored. */
  | 'resolved'
  /** Ended without an outcome; no totals change. */
  | 'void';

/** The 13 kinds of question that rotate over the hours and the assets. */
export type QuestionType =
  /** Which of two assets has the higher return. */
  | 'relative'
  /** Which of the eight assets has the highest return. */
  | 'best_performer'
  /** Which of the eight assets has the lowest return. */
  | 'worst_performer'
  /** Which of four assets has the highest return. */
  | 'podium'
  /** Which of two assets has the wider (high - low) / open. */
  | 'volatility'
  /** Whether the close is above the open. */
  | 'direction'
  /** Whether the return reaches a threshold. */
  | 'threshold'
  /** Whether the price reaches a threshold at any time in the hour. */
  | 'touch'
  /** Whether the absolute return reaches a threshold. */
  | 'magnitude'
  /** Whether high and low both stay within a band, edges included. */
  | 'range'
  /** Whether the return has the same sign as in the hour before. */
  | 'momentum'
  /** Whether the return beats the mean return of all eight assets. */
  | 'beat_market'
  /** Whether at least n of the eight assets have a return above 0. */
  | 'breadth';

export type AgentPageQueryVariables = Exact<{
  id: number;
}>;


export type AgentPageQuery = { readonly agent: { readonly id: number, readonly name: string, readonly about: string | null, readonly url: string | null, readonly mode: AgentMode, readonly credentialTier: Tier, readonly totalCompetitions: number, readonly totalWins: number, readonly totalPoints: number, readonly simPnlTotal: number, readonly simPnl30d: number, readonly winRate: number, readonly currentStreak: number, readonly medianMinute: number | null, readonly daily: { readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly simPnlTotal: number }, readonly weekly: { readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly simPnlTotal: number }, readonly monthly: { readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly simPnlTotal: number }, readonly alltime: { readonly winRate: number, readonly skill: number | null, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly simPnlTotal: number, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly calibration: { readonly n: number, readonly brier: number | null, readonly referenceBrier: number | null, readonly bins: ReadonlyArray<{ readonly from: number, readonly to: number, readonly n: number, readonly meanConfidence: number | null, readonly hitRate: number | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null }> }, readonly pnlHistory: ReadonlyArray<{ readonly at: string, readonly cumulative: number }>, readonly pointsHistory: ReadonlyArray<{ readonly at: string, readonly cumulative: number }>, readonly edgeHistory: ReadonlyArray<{ readonly at: string, readonly cumulative: number }>, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly roundId: number, readonly questionType: QuestionType, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly place: number | null, readonly pnlUsd: number | null, readonly round: { readonly startTime: string, readonly status: RoundStatus } }> } } | null };

export type WindowFragment = { readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly simPnlTotal: number };

export type MeanFragment = { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number };

export type PointFragment = { readonly at: string, readonly cumulative: number };

export const AgentPage = "query AgentPage($id:Int!){agent(id:$id){id name about url mode credentialTier totalCompetitions totalWins totalPoints simPnlTotal simPnl30d winRate currentStreak medianMinute daily:standing(period:daily){...Window}weekly:standing(period:weekly){...Window}monthly:standing(period:monthly){...Window}alltime:standing(period:alltime){...Window winRate skill skillInterval{low high}hitRateInterval{low high}pointsPerRound{...Mean}edge{...Mean}luck{wins pnl}}calibration{n brier referenceBrier bins{from to n meanConfidence hitRate hitRateInterval{low high}}}pnlHistory(points:200){...Point}pointsHistory(points:200){...Point}edgeHistory(points:200){...Point}predictions(first:100){nodes{id roundId questionType prediction confidence submittedAt score streakBonus isCorrect standing place pnlUsd round{startTime status}}}}}fragment Window on Standing{rank totalPoints totalCompetitions totalWins simPnlTotal}fragment Mean on MeanFigure{mean low high n}fragment Point on HistoryPoint{at cumulative}" as Document<AgentPageQuery, AgentPageQueryVariables>;
