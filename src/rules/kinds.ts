import { type Asset, ASSETS, isAsset } from './assets.ts';
import { BOARD_ORDERS, type BoardOrder, DEFAULT_MIN_ROUNDS, type KeptBoard, KEPT_MIN_ROUNDS } from './board-orders.ts';
import { DomainError, refused } from './errors.ts';
import { QUESTION_TYPES, type QuestionType } from './questions/question.ts';
import { type Period, PERIODS } from './windows.ts';

/** What boards are kept of apart: the questions of one type, and those that ask about one asset alone. */
export const KINDS = [...QUESTION_TYPES, ...ASSETS] as const;

export type Kind = QuestionType | Asset;

/** A window of a kind, which has its own sums and boards. */
export interface KindWindow {
  readonly kind: Kind;
  readonly period: Period;
}

/** The kinds that a round belongs to: which of several assets wins is asked about none of them. */
export function kindsOf({ questionType, subject }: { questionType: QuestionType; subject?: string | null }): Kind[] {
  return [questionType, ...(subject != null && isAsset(subject) ? [subject] : [])];
}

/** The kind that is asked for; null for all rounds. Throws `BAD_REQUEST` for an asset that there is not, and for two kinds. */
export function kindAsked(questionType?: QuestionType | null, asset?: string | null): Kind | null {
  if (asset == null) return questionType ?? null;
  if (!isAsset(asset)) throw refused('asset', `one of ${ASSETS.join(', ')}`, asset);
  if (questionType == null) return asset;
  throw new DomainError(
    'bad_request',
    (nameOf) =>
      `A board is narrowed down either by ${nameOf('questionType')} or by ${nameOf('asset')} (got ${questionType} and ${asset}).`,
    { argument: 'asset' },
  );
}

/** From how many rounds of a kind on an agent is listed by edge: a day has two of a type, a week 13, a month 55. */
const EDGE_MIN_ROUNDS: Readonly<Record<Period, number>> = { daily: 1, weekly: 6, monthly: 20, alltime: 20 };

/** From how many rounds on an agent is listed unless something else is asked for. */
export function usualMinRounds(orderBy: BoardOrder, kind: Kind | null, period: Period): number {
  return kind !== null && isByEdge(orderBy) ? EDGE_MIN_ROUNDS[period] : DEFAULT_MIN_ROUNDS[orderBy];
}

/** The boards that are kept of each kind: in every order, from as few rounds on as can be and from the usual number. */
export const KIND_BOARDS: readonly KeptBoard[] = PERIODS.flatMap((period) =>
  BOARD_ORDERS.flatMap((orderBy) => keptOf(orderBy, period).map((minRounds) => ({ period, orderBy, minRounds }))),
);

function keptOf(orderBy: BoardOrder, period: Period): readonly number[] {
  const [lowest] = KEPT_MIN_ROUNDS[orderBy];
  return isByEdge(orderBy) ? [lowest, EDGE_MIN_ROUNDS[period]] : [lowest];
}

/** Over the price, or over the arena. */
function isByEdge(orderBy: BoardOrder): boolean {
  return orderBy === 'EDGE' || orderBy === 'ARENA';
}

/** The kept board of a kind from which one from `minRounds` rounds on is read. */
export function keptOfKind({ period, orderBy, minRounds }: KeptBoard): number {
  const [lowest = 0, ...higher] = keptOf(orderBy, period);
  return higher.findLast((kept) => kept <= minRounds) ?? lowest;
}
