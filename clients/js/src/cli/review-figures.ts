import type { PredictionsExportRow, RoundsExportRow } from '../reference.ts';
import { marginOf, meanOf, rounded } from './figures.ts';

export interface Group {
  readonly name: string;
  readonly answers: number;
  /** The mean advantage over the price alone, from -2 to 2. */
  readonly edge: number;
  /** Half of the 95 % interval; null for fewer than ten answers. */
  readonly margin: number | null;
}

export interface Bin {
  /** Such as `60-69 %`. */
  readonly name: string;
  readonly answers: number;
  /** The mean confidence, from 0 to 1. */
  readonly said: number;
  /** The share of right answers. */
  readonly right: number;
}

export interface WorstAnswer {
  readonly round_id: number | null;
  readonly question: string | null;
  readonly question_type: string;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly edge: number;
  readonly pnl_usd: number | null;
}

export interface Review {
  readonly agent: string;
  /** Scored ones. */
  readonly answers: number;
  readonly points: number;
  readonly pnl_usd: number | null;
  readonly right_share: number | null;
  readonly brier: number | null;
  /** Over answers with a known edge; null without any. */
  readonly edge: Omit<Group, 'name'> | null;
  readonly by_type: readonly Group[];
  readonly by_asset: readonly Group[];
  readonly by_lead: readonly Group[];
  readonly calibration: readonly Bin[];
  /** Wrong answers that the price alone would have beaten. */
  readonly worst: readonly WorstAnswer[];
  /** Rounds decided without an answer: since registration for the own agent, since the first answer for others. */
  readonly missed: { readonly count: number; readonly of: number; readonly last: readonly number[] };
}

const WORST = 10;
const LAST_MISSED = 10;
const BIN_PERCENT = 10;
/** Upper bounds of remaining minutes. */
const LEADS = [5, 15, 30, 45, 60];

type Row = PredictionsExportRow;

const byEdge = (one: Group, other: Group): number => other.edge - one.edge;

/** `scored` has the oldest first; `rounds` are the rounds decided in the same time. */
export function reviewOf(agent: string, scored: readonly Row[], rounds: readonly RoundsExportRow[]): Review {
  const roundOf = new Map(rounds.map((round) => [round.id, round]));
  const known = withEdge(scored);
  const grouped = (nameOf: (row: Row) => string): Group[] => groupedBy(known, nameOf);
  const answered = new Set(scored.map(({ round_id: id }) => id));
  const missed = rounds.map(({ id }) => id).filter((id) => !answered.has(id));
  return {
    agent,
    answers: scored.length,
    points: sumOf(scored.map(({ score, streak_bonus: bonus }) => (score ?? 0) + (bonus ?? 0))),
    pnl_usd: scored.length === 0 ? null : rounded(sumOf(scored.map(({ pnl_usd: pnl }) => pnl ?? 0)), 2),
    right_share: scored.length === 0 ? null : rounded(meanOf(scored.map(({ is_correct: right }) => right ?? 0))),
    brier: scored.length === 0 ? null : rounded(meanOf(scored.map(({ brier }) => brier ?? 0))),
    edge: known.length === 0 ? null : edgeOf(known),
    by_type: typesOf(scored),
    by_asset: grouped(({ round_id: id }) => roundOf.get(id ?? 0)?.subject ?? 'several').toSorted(byEdge),
    by_lead: LEADS.flatMap((bound) => grouped(leadName).filter(({ name }) => name === leadCalled(bound))),
    calibration: calibrationOf(scored),
    worst: known
      .filter(({ edge, is_correct: right }) => right === 0 && edge < 0)
      .toSorted((one, other) => one.edge - other.edge)
      .slice(0, WORST)
      .map(({ round_id, question_type, prediction, confidence, edge, pnl_usd }) => ({
        round_id,
        question: roundOf.get(round_id ?? 0)?.question ?? null,
        question_type: question_type ?? '',
        prediction,
        confidence,
        edge,
        pnl_usd,
      })),
    missed: { count: missed.length, of: rounds.length, last: missed.slice(-LAST_MISSED) },
  };
}

/** Answers with a known edge by question type, the best first. */
export function typesOf(scored: readonly Pick<Row, 'edge' | 'question_type'>[]): readonly Group[] {
  return groupedBy(withEdge(scored), ({ question_type: type }) => type ?? '').toSorted(byEdge);
}

type WithEdge<Kind> = Kind & { readonly edge: number };

function withEdge<Kind extends Pick<Row, 'edge'>>(rows: readonly Kind[]): WithEdge<Kind>[] {
  return rows.flatMap((row) => (row.edge === null ? [] : [{ ...row, edge: row.edge }]));
}

function groupedBy<Kind>(rows: readonly WithEdge<Kind>[], nameOf: (row: WithEdge<Kind>) => string): Group[] {
  const names = [...new Set(rows.map(nameOf))];
  return names.map((name) => ({ name, ...edgeOf(rows.filter((row) => nameOf(row) === name)) }));
}

function edgeOf(rows: readonly { readonly edge: number }[]): Omit<Group, 'name'> {
  const edges = rows.map(({ edge }) => edge);
  const margin = marginOf(edges);
  return { answers: edges.length, edge: rounded(meanOf(edges)), margin: margin === null ? null : rounded(margin) };
}

function leadName({ lead_seconds: seconds }: Row): string {
  const minutes = (seconds ?? 0) / 60;
  return leadCalled(LEADS.find((bound) => minutes <= bound) ?? 60);
}

/** Such as `5-15 min`. */
function leadCalled(bound: number): string {
  return `${LEADS[LEADS.indexOf(bound) - 1] ?? 0}-${bound} min`;
}

function calibrationOf(scored: readonly Row[]): Bin[] {
  const starts = Array.from({ length: 100 / BIN_PERCENT }, (_none, at) => at * BIN_PERCENT);
  return starts.flatMap((start) => {
    const isLast = start + BIN_PERCENT === 100;
    const end = isLast ? 100 : start + BIN_PERCENT - 1;
    const rows = scored.filter(({ confidence }) => confidence !== null && confidence >= start && confidence <= end);
    if (rows.length === 0) return [];
    return [
      {
        name: `${start}-${end} %`,
        answers: rows.length,
        said: rounded(meanOf(rows.map(({ confidence }) => (confidence ?? 0) / 100))),
        right: rounded(meanOf(rows.map(({ is_correct: right }) => right ?? 0))),
      },
    ];
  });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0);
}
