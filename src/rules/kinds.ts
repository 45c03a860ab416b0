import { type Asset, ASSETS, isAsset } from './assets.ts';
import {
  BOARD_ORDERS,
  type BoardKey,
  type BoardOrder,
  DEFAULT_MIN_ROUNDS,
  KEPT_MIN_ROUNDS,
  keptAmong,
} from './board-orders.ts';
import { DomainError, refused } from './errors.ts';
import { QUESTION_TYPES, type QuestionType } from './questions/question.ts';
import { type Period, PERIODS } from './windows.ts';

/** Kinds with separate boards: the rounds of one question type, or about one asset only. */
export const KINDS = [...QUESTION_TYPES, ...ASSETS] as const;

export type Kind = QuestionType | Asset;

export interface KindWindow {
  readonly kind: Kind;
  readonly period: Period;
}

export function kindsOf({
  questionType,
  subject,
}: {
  questionType: QuestionType;
  subject?: string | null | undefined;
}): Kind[] {
  return [questionType, ...(subject != null && isAsset(subject) ? [subject] : [])];
}

/** Null for all rounds. Throws `BAD_REQUEST` for an unknown asset, and if both are given. */
export function requestedKind(
  questionType?: QuestionType | null,
  asset?: string | null,
  filtered: 'board' | 'record' = 'board',
): Kind | null {
  if (asset == null) return questionType ?? null;
  if (!isAsset(asset)) throw refused('asset', `one of ${ASSETS.join(', ')}`, asset);
  if (questionType == null) return asset;
  throw new DomainError(
    'bad_request',
    (nameOf) =>
      `A ${filtered} can be filtered either by ${nameOf('questionType')} or by ${nameOf('asset')} (got ${questionType} and ${asset}).`,
    { argument: 'asset' },
  );
}

/** Minimum rounds by edge within a kind: a day has two rounds of a type, a week 13, a month 55. */
const EDGE_MIN_ROUNDS: Readonly<Record<Period, number>> = { daily: 1, weekly: 6, monthly: 20, alltime: 20 };

export function usualMinRounds(orderBy: BoardOrder, kind: Kind | null, period: Period): number {
  return kind !== null && isByEdge(orderBy) ? EDGE_MIN_ROUNDS[period] : DEFAULT_MIN_ROUNDS[orderBy];
}

export const KIND_BOARDS: readonly BoardKey[] = PERIODS.flatMap((period) =>
  BOARD_ORDERS.flatMap((orderBy) => keptOf(orderBy, period).map((minRounds) => ({ period, orderBy, minRounds }))),
);

function keptOf(orderBy: BoardOrder, period: Period): readonly [number, ...number[]] {
  const [lowest] = KEPT_MIN_ROUNDS[orderBy];
  return isByEdge(orderBy) ? [lowest, EDGE_MIN_ROUNDS[period]] : [lowest];
}

function isByEdge(orderBy: BoardOrder): boolean {
  return orderBy === 'EDGE' || orderBy === 'ARENA';
}

export function keptOfKind({ period, orderBy, minRounds }: BoardKey): number {
  return keptAmong(keptOf(orderBy, period), minRounds);
}
