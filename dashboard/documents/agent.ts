import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type AgentPageQueryVariables = Exact<{
  id: number;
}>;


export type AgentPageQuery = { readonly agent: { readonly id: number, readonly name: string, readonly mode: Types.AgentMode, readonly credentialTier: Types.Tier, readonly totalCompetitions: number, readonly totalWins: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly simPnlTotal: number, readonly simPnl30d: number, readonly winRate: number, readonly currentStreak: number, readonly bestStreak: number, readonly daily: { readonly period: Types.Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly weekly: { readonly period: Types.Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly monthly: { readonly period: Types.Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly alltime: { readonly period: Types.Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null }, readonly calibration: { readonly n: number, readonly brier: number | null, readonly referenceBrier: number | null, readonly skill: number | null, readonly logLoss: number | null, readonly expectedCalibrationError: number | null, readonly bins: ReadonlyArray<{ readonly from: number, readonly to: number, readonly n: number, readonly meanConfidence: number | null, readonly hitRate: number | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null }> }, readonly pnlHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly pointsHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly edgeHistory: ReadonlyArray<{ readonly at: string, readonly roundId: number, readonly rounds: number, readonly value: number, readonly cumulative: number }>, readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly roundId: number, readonly questionType: Types.QuestionType, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly place: number | null, readonly pnlUsd: number | null, readonly round: { readonly startTime: string, readonly endTime: string, readonly status: Types.RoundStatus, readonly assets: ReadonlyArray<{ readonly symbol: string }> } }> } } | null };

export type WindowFragment = { readonly period: Types.Period, readonly rank: number | null, readonly totalPoints: number, readonly totalCompetitions: number, readonly totalWins: number, readonly winRate: number, readonly simPnlTotal: number, readonly skill: number | null, readonly skillInterval: { readonly low: number, readonly high: number } | null, readonly hitRateInterval: { readonly low: number, readonly high: number } | null, readonly pointsPerRound: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly edge: { readonly mean: number, readonly low: number | null, readonly high: number | null } | null, readonly luck: { readonly wins: number, readonly pnl: number } | null };

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
  by: ReadonlyArray<Types.BreakdownDimension> | Types.BreakdownDimension;
}>;


export type BreakdownQuery = { readonly breakdown: ReadonlyArray<{ readonly n: number, readonly referenceBrier: number, readonly keys: ReadonlyArray<{ readonly dimension: Types.BreakdownDimension, readonly value: string }>, readonly hitRate: { readonly mean: number, readonly low: number | null, readonly high: number | null }, readonly brier: { readonly mean: number }, readonly edge: { readonly mean: number } | null }> };

export const AgentPage: Document<AgentPageQuery, AgentPageQueryVariables> = {"name":"AgentPage","text":"query AgentPage($id:Int!){agent(id:$id){id name mode credentialTier totalCompetitions totalWins totalPoints totalArenaPoints simPnlTotal simPnl30d winRate currentStreak bestStreak daily:standing(period:daily){...Window}weekly:standing(period:weekly){...Window}monthly:standing(period:monthly){...Window}alltime:standing(period:alltime){...Window}calibration{n brier referenceBrier skill logLoss expectedCalibrationError bins{from to n meanConfidence hitRate hitRateInterval{low high}}}pnlHistory(points:200){...Point}pointsHistory(points:200){...Point}edgeHistory(points:200){...Point}predictions(first:100){nodes{id roundId questionType prediction confidence submittedAt score streakBonus isCorrect place pnlUsd round{startTime endTime status assets{symbol}}}}}}fragment Window on Standing{period rank totalPoints totalCompetitions totalWins winRate simPnlTotal skill skillInterval{low high}hitRateInterval{low high}pointsPerRound{...Mean}edge{...Mean}luck{wins pnl}}fragment Mean on MeanFigure{mean low high}fragment Point on HistoryPoint{at roundId rounds value cumulative}"};
export const HeadToHead: Document<HeadToHeadQuery, HeadToHeadQueryVariables> = {"name":"HeadToHead","text":"query HeadToHead($a:Int!$b:Int!){headToHead(a:$a b:$b){b{id name}n aAhead bAhead even brierGain{...Gain}edgeGain{...Gain}pointsGain{...Gain}pnlGainUsd{...Gain}}}fragment Gain on Estimate{mean low high n}"};
export const Rivals: Document<RivalsQuery, RivalsQueryVariables> = {"name":"Rivals","text":"query Rivals{agents(first:100 orderBy:POINTS){nodes{id name}}}"};
export const AgentNamed: Document<AgentNamedQuery, AgentNamedQueryVariables> = {"name":"AgentNamed","text":"query AgentNamed($name:String!){agent(name:$name){id name}}"};
export const Breakdown: Document<BreakdownQuery, BreakdownQueryVariables> = {"name":"Breakdown","text":"query Breakdown($agent:Int$by:[BreakdownDimension!]!){breakdown(by:$by agentId:$agent){keys{dimension value}n hitRate{mean low high}brier{mean}referenceBrier edge{mean}}}"};
