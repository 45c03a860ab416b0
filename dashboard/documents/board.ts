import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type * as Types from '../../src/rules/schema-enums.ts';

export type BoardQueryVariables = Exact<{
  period: Types.Period;
  orderBy: Types.BoardOrder;
  minRounds?: number | null | undefined;
  limit: number;
}>;


export type BoardQuery = { readonly leaderboard: { readonly period: Types.Period, readonly orderBy: Types.BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly simPnlTotal: number, readonly credentialTier: Types.Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null }> } };

export type BoardNowSubscriptionVariables = Exact<{
  period: Types.Period;
  limit: number;
}>;


export type BoardNowSubscription = { readonly leaderboardUpdated: { readonly period: Types.Period, readonly orderBy: Types.BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly simPnlTotal: number, readonly credentialTier: Types.Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null }> } };

export type PlacesFragment = { readonly period: Types.Period, readonly orderBy: Types.BoardOrder, readonly minRounds: number, readonly updatedAt: string, readonly rankIntervalsAt: string | null, readonly rankings: ReadonlyArray<{ readonly rank: number, readonly name: string, readonly value: number, readonly tiedWithAbove: boolean | null, readonly n: number, readonly winRate: number, readonly totalPoints: number, readonly totalArenaPoints: number, readonly simPnlTotal: number, readonly credentialTier: Types.Tier, readonly currentStreak: number, readonly bestStreak: number, readonly rankChange: number | null, readonly recentPoints: ReadonlyArray<number>, readonly agent: { readonly id: number }, readonly interval: { readonly low: number, readonly high: number } | null, readonly rankInterval: { readonly low: number, readonly high: number } | null }> };

export const Board: Document<BoardQuery, BoardQueryVariables> = {"name":"Board","text":"query Board($period:Period!$orderBy:BoardOrder!$minRounds:Int$limit:Int!){leaderboard(period:$period orderBy:$orderBy minRounds:$minRounds limit:$limit){...Places}}fragment Places on Leaderboard{period orderBy minRounds updatedAt rankIntervalsAt rankings{rank name agent{id}value interval{low high}rankInterval{low high}tiedWithAbove n winRate totalPoints totalArenaPoints simPnlTotal credentialTier currentStreak bestStreak rankChange recentPoints}}"};
export const BoardNow: Document<BoardNowSubscription, BoardNowSubscriptionVariables> = {"name":"BoardNow","text":"subscription BoardNow($period:Period!$limit:Int!){leaderboardUpdated(period:$period limit:$limit){...Places}}fragment Places on Leaderboard{period orderBy minRounds updatedAt rankIntervalsAt rankings{rank name agent{id}value interval{low high}rankInterval{low high}tiedWithAbove n winRate totalPoints totalArenaPoints simPnlTotal credentialTier currentStreak bestStreak rankChange recentPoints}}"};
