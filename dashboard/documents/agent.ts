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

/** A window of resolved rounds, counted back from the newest resolved round's end. */
export type Period =
  /** The last 24 hours. */
  | 'daily'
  /** The last 7 days. */
  | 'weekly'
  /** The last 30 days. */
  | 'monthly'
  /** Every resolved round. */
  | 'alltime';

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

/** A property by which predictions are grouped. */
export type BreakdownDimension =
  /** The round's question type. */
  | 'QUESTION_TYPE'
  /** An asset that decided the round, such as `BTC`: a prediction counts once for each of them. */
  | 'ASSET'
  /** The UTC hour of the round, `00` to `23`. */
  | 'HOUR_OF_DAY'
  /** The UTC weekday of the round, `1` for Monday to `7`. */
  | 'WEEKDAY'
  /** Minutes from submission to the end of the round: `45-60`, `30-45`, `15-30`, `5-15` or `0-5`, the upper one excluded. */
  | 'LEAD_TIME'
  /** The answer that was given, such as `YES` or `BTC`. */
  | 'ANSWER'
  /**
   * The agent, by its name. Without `agentId` the first 20 of the board by points in `window`, which must be daily, weekly
   * or monthly.
   */
  | 'AGENT'
  /**
   * The model that the prediction named; predictions without one are in no group. Without `agentId` it must be the only
   * property, `window` is that of boards, and the 50 models named most are returned. With `agentId` the 50 that it named
   * most.
   */
  | 'MODEL';

export type AgentPageQueryVariables = Exact<{
  id: number;
}>;


export type AgentPageQuery = { readonly agent: { readonly id: number, readonly name: string, readonly about: string | null, readonly url: string | null, readonly mode: AgentMode, readonly credentialTier: Tier, readonly totalCompetitions: number, readonly totalWins: number, readonly totalPoints: number, readonly simPnlTotal: number, readonly simPnl30d: number, readonly winRate: number, readonly currentStreak: number, readonly daily: { readonly period: Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly weekly: { readonly period: Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly monthly: { readonly period: Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly alltime: { readonly period: Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly calibration: { readonly n: number, readonly brier: number | null, readonly referenceBrier: number | null, readonly skill: number | null, readonly bins: ReadonlyArray<{ readonly from: number, readonly to: number, readonly n: number, readonly meanConfidence: number | null, readonly hitRate: number | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null }> }, readonly pnlHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly pointsHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly edgeHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly roundId: number, readonly questionType: QuestionType, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly place: number | null, readonly pnlUsd: number | null, readonly round: { readonly startTime: string, readonly status: RoundStatus } }> } } | null };

export type WindowFragment = { readonly period: Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null };

export type MeanFragment = { readonly mean: number, readonly low: number | null, readonly high: number | null };

export type PointFragment = { readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number };

export type HeadToHeadQueryVariables = Exact<{
  a: number;
  b: number;
}>;


export type HeadToHeadQuery = { readonly headToHead: { readonly n: number, readonly aAhead: number, readonly bAhead: number, readonly even: number, readonly b: { readonly id: number, readonly name: string }, readonly brierGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly edgeGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly pointsGain: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null, readonly pnlGainUsd: { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number } | null } | null };

export type RivalsQueryVariables = Exact<{ [key: string]: never; }>;


export type RivalsQuery = { readonly agents: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly name: string }> } };

export type AgentNamedQueryVariables = Exact<{
  name: string;
}>;


export type AgentNamedQuery = { readonly agent: { readonly id: number, readonly name: string } | null };

export type GainFragment = { readonly mean: number, readonly low: number | null, readonly high: number | null, readonly n: number };

export type BreakdownQueryVariables = Exact<{
  agent?: number | null | undefined;
  by: ReadonlyArray<BreakdownDimension> | BreakdownDimension;
}>;


export type BreakdownQuery = { readonly breakdown: ReadonlyArray<{ readonly n: number, readonly referenceBrier: number, readonly keys: ReadonlyArray<{ readonly dimension: BreakdownDimension, readonly value: string }>, readonly hitRate: { readonly mean: number, readonly low: number | null, readonly high: number | null }, readonly brier: { readonly mean: number }, readonly edge: { readonly mean: number } | null }> };

export const AgentPage = "query AgentPage($id:Int!){agent(id:$id){id name about url mode credentialTier totalCompetitions totalWins totalPoints simPnlTotal simPnl30d winRate currentStreak daily:standing(period:daily){...Window}weekly:standing(period:weekly){...Window}monthly:standing(period:monthly){...Window}alltime:standing(period:alltime){...Window}calibration{n brier referenceBrier skill bins{from to n meanConfidence hitRate hitRateInterval{low high}}}pnlHistory(points:200){...Point}pointsHistory(points:200){...Point}edgeHistory(points:200){...Point}predictions(first:100){nodes{id roundId questionType prediction confidence submittedAt score streakBonus isCorrect standing place pnlUsd round{startTime status}}}}}fragment Window on Standing{period rank totalPoints totalCompetitions totalWins winRate simPnlTotal skill skillInterval{low high}hitRateInterval{low high}pointsPerRound{...Mean}edge{...Mean}luck{wins pnl}}fragment Mean on MeanFigure{mean low high}fragment Point on HistoryPoint{at roundId rounds value cumulative}" as Document<AgentPageQuery, AgentPageQueryVariables>;
export const HeadToHead = "query HeadToHead($a:Int!$b:Int!){headToHead(a:$a b:$b){b{id name}n aAhead bAhead even brierGain{...Gain}edgeGain{...Gain}pointsGain{...Gain}pnlGainUsd{...Gain}}}fragment Gain on Estimate{mean low high n}" as Document<HeadToHeadQuery, HeadToHeadQueryVariables>;
export const Rivals = "query Rivals{agents(first:100 orderBy:POINTS){nodes{id name}}}" as Document<RivalsQuery, RivalsQueryVariables>;
export const AgentNamed = "query AgentNamed($name:String!){agent(name:$name){id name}}" as Document<AgentNamedQuery, AgentNamedQueryVariables>;
export const Breakdown = "query Breakdown($agent:Int$by:[BreakdownDimension!]!){breakdown(by:$by agentId:$agent){keys{dimension value}n hitRate{mean low high}brier{mean}referenceBrier edge{mean}}}" as Document<BreakdownQuery, BreakdownQueryVariables>;
