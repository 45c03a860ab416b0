import type { Document } from '../document.ts';
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
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

/** Why a round has no outcome. */
export type VoidReason =
  /** No usable candles within 24 hours of the end. */
  | 'no_prices'
  /** The market's sources did not agree. */
  | 'sources_disagree'
  /** Two or more answers were equally right. */
  | 'tie'
  /** Declared void by an operator. */
  | 'admin';

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

/** The order of a round's predictions. */
export type RoundPredictionOrder =
  /** In the order of submission. */
  | 'OLDEST'
  /** The latest submission first. */
  | 'NEWEST'
  /** By place, the first place first. Only scored predictions, so none before the round is resolved. */
  | 'PLACE'
  /** By place, the last place first. Only scored predictions, as by `PLACE`. */
  | 'PLACE_LAST';

export type RoundPageQueryVariables = Exact<{
  id: number;
}>;


export type RoundPageQuery = { readonly round: { readonly id: number, readonly previousId: number | null, readonly nextId: number | null, readonly question: string, readonly questionType: QuestionType, readonly choices: ReadonlyArray<string>, readonly startTime: string, readonly endTime: string, readonly sealedAt: string | null, readonly status: RoundStatus, readonly totalEntries: number, readonly archived: boolean, readonly source: string, readonly outcome: string | null, readonly voidReason: VoidReason | null, readonly voidNote: string | null, readonly difficulty: number | null, readonly params: { readonly subject: string | null, readonly thresholdPct: number | null, readonly n: number | null }, readonly assets: ReadonlyArray<{ readonly symbol: string, readonly startPriceUsd: number | null, readonly highUsd: number | null, readonly lowUsd: number | null, readonly returnPct: number | null }>, readonly amendments: ReadonlyArray<{ readonly amendedAt: string, readonly reason: string, readonly previousOutcome: string | null }>, readonly crowd: { readonly n: number, readonly meanConfidencePct: number | null, readonly answers: ReadonlyArray<{ readonly answer: string, readonly n: number }> } | null, readonly entries: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly results: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } }, readonly last: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null }> }, readonly evidence: ReadonlyArray<{ readonly symbol: string, readonly source: string, readonly hourStart: string, readonly openUsd: string | null, readonly highUsd: string | null, readonly lowUsd: string | null, readonly closeUsd: string | null, readonly counted: boolean, readonly leftOut: string | null }>, readonly agreedCandles: ReadonlyArray<{ readonly symbol: string, readonly hourStart: string, readonly openUsd: string, readonly highUsd: string, readonly lowUsd: string, readonly closeUsd: string }> } | null };

export type CallFragment = { readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null };

export type CallsFragment = { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } };

export type RoundCallsQueryVariables = Exact<{
  id: number;
  after?: string | null | undefined;
  orderBy: RoundPredictionOrder;
}>;


export type RoundCallsQuery = { readonly round: { readonly predictions: { readonly nodes: ReadonlyArray<{ readonly id: number, readonly agentId: number, readonly agentName: string, readonly prediction: string | null, readonly confidence: number | null, readonly submittedAt: string, readonly place: number | null, readonly score: number | null, readonly streakBonus: number | null, readonly isCorrect: number | null, readonly standing: boolean, readonly arenaPoints: number | null, readonly pnlUsd: number | null, readonly rationaleLength: number | null, readonly model: string | null }>, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null } } } | null };

export type RoundWordsQueryVariables = Exact<{
  id: number;
  before: number;
}>;


export type RoundWordsQuery = { readonly round: { readonly entries: ReadonlyArray<{ readonly rationale: string | null }> } | null };

export type RoundChangesSubscriptionVariables = Exact<{
  id: number;
}>;


export type RoundChangesSubscription = { readonly roundUpdated: { readonly id: number, readonly status: RoundStatus, readonly totalEntries: number, readonly amendments: ReadonlyArray<{ readonly amendedAt: string }> } };

export const RoundPage = "query RoundPage($id:Int!){round(id:$id){id previousId nextId question questionType choices params{subject thresholdPct n}assets{symbol startPriceUsd highUsd lowUsd returnPct}startTime endTime sealedAt status totalEntries archived source outcome voidReason voidNote amendments{amendedAt reason previousOutcome}difficulty crowd{n meanConfidencePct answers{answer n}}entries:predictions(first:100){...Calls}results:predictions(first:100 orderBy:PLACE){...Calls}last:predictions(first:3 orderBy:PLACE_LAST){nodes{...Call}}evidence{symbol source hourStart openUsd highUsd lowUsd closeUsd counted leftOut}agreedCandles{symbol hourStart openUsd highUsd lowUsd closeUsd}}}fragment Call on Prediction{id agentId agentName prediction confidence submittedAt place score streakBonus isCorrect standing arenaPoints pnlUsd rationaleLength model}fragment Calls on PredictionConnection{nodes{...Call}pageInfo{hasNextPage endCursor}}" as Document<RoundPageQuery, RoundPageQueryVariables>;
export const RoundCalls = "fragment Call on Prediction{id agentId agentName prediction confidence submittedAt place score streakBonus isCorrect standing arenaPoints pnlUsd rationaleLength model}fragment Calls on PredictionConnection{nodes{...Call}pageInfo{hasNextPage endCursor}}query RoundCalls($id:Int!$after:String$orderBy:RoundPredictionOrder!){round(id:$id){predictions(first:100 after:$after orderBy:$orderBy){...Calls}}}" as Document<RoundCallsQuery, RoundCallsQueryVariables>;
export const RoundWords = "query RoundWords($id:Int!$before:Int!){round(id:$id){entries(limit:1 after:$before){rationale}}}" as Document<RoundWordsQuery, RoundWordsQueryVariables>;
export const RoundChanges = "subscription RoundChanges($id:Int!){roundUpdated(id:$id){id status totalEntries amendments{amendedAt}}}" as Document<RoundChangesSubscription, RoundChangesSubscriptionVariables>;
