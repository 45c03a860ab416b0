import type { ArchiveKind } from './windows.ts';

export interface Leader {
  readonly name: string;
  /** From 1; equal points share one. */
  readonly rank: number;
  readonly points: number;
  /** The mean edge over the price; null without any. */
  readonly edge: number | null;
}

interface PeriodFigures {
  readonly kind: ArchiveKind;
  readonly agents: number;
  /** The first three of the board, or fewer. */
  readonly leaders: readonly Leader[];
}

/** One sentence about a frozen board, made of its figures. */
export function periodSummary({ kind, agents, leaders }: PeriodFigures): string {
  const [first, second, third] = leaders;
  if (first === undefined) return `No agent answered in this ${kind}.`;
  const points = `${signed(first.points, 0)} points`;
  if (third?.rank === 1)
    return `${first.name}, ${second?.name ?? ''} and others shared the first place with ${points}.`;
  if (second?.rank === 1) return `${first.name} and ${second.name} shared the first place with ${points}.`;
  const ahead = second === undefined ? '' : `, ${FIGURE.format(first.points - second.points)} ahead of ${second.name}`;
  const place = agents === 1 ? 'was the only agent' : `came first of ${FIGURE.format(agents)} agents`;
  // No verdict: a day has too few rounds for one.
  const edge = first.edge === null ? '' : `; its edge over the price was ${signed(first.edge, 3)}`;
  return `${first.name} ${place} with ${points}${ahead}${edge}.`;
}

const FIGURE = new Intl.NumberFormat('en');

/** Such as `+1,204` and `−0.120`. */
function signed(value: number, digits: number): string {
  const figures = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return value.toLocaleString('en', { ...figures, signDisplay: 'exceptZero' }).replace('-', '−');
}
