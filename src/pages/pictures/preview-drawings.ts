import { escaped } from '../../http/html-text.ts';
import type { PageAnswers } from '../first-answers.ts';
import { percent } from '../../../dashboard/figures.ts';
import { boardFigure } from '../heads.ts';
import { fitted } from './fitted-text.ts';
import type { BoardQuery } from '../../../dashboard/documents/board.ts';

export const PLANE = { width: 1056, height: 190 };
export const COLOURS = { paper: '#101217', ink: '#eceef2', soft: '#a2a8b5', line: '#2c313b', accent: '#ff8552' };
const ROW = 46;
const MAX_ROWS = 4;
const TEXT_SIZE = 28;
const NAME_ROOM = PLANE.width - 80 - 260;

/** A round's crowd, the top of a board, or an agent's points; empty for other pages. */
export function drawingOf({ Now, RoundPage, AgentPage, Board }: PageAnswers): string {
  const round = RoundPage?.round ?? Now?.currentRound;
  if (round?.crowd) return shares(round.crowd.answers, round.outcome);
  if (AgentPage?.agent) return line(AgentPage.agent.pointsHistory.map(({ cumulative }) => cumulative));
  return Now === undefined && Board ? places(Board.leaderboard) : '';
}

/** The right answer alone is coloured once it is known. */
function shares(
  answers: readonly { readonly answer: string; readonly n: number }[],
  outcome: string | null | undefined,
): string {
  const all = answers.reduce((sum, { n }) => sum + n, 0);
  const most = answers.toSorted((one, other) => other.n - one.n).slice(0, MAX_ROWS);
  const bars = most.map(({ answer, n }, index) => {
    const y = index * ROW;
    const width = Math.round((n / (all || 1)) * (PLANE.width - 320));
    const share = all === 0 ? '–' : percent(n / all);
    return `<rect x="160" y="${y}" width="${PLANE.width - 320}" height="34" rx="6" fill="${COLOURS.line}"/>
<rect x="160" y="${y}" width="${width}" height="34" rx="6" fill="${outcome == null || answer === outcome ? COLOURS.accent : COLOURS.soft}"/>
${text({ x: 0, y: y + 26, weight: 700 }, answer)}
${text({ x: PLANE.width, y: y + 26, anchor: 'end' }, share)}`;
  });
  return bars.join('\n');
}

function places({ rankings, orderBy }: BoardQuery['leaderboard']): string {
  const rows = rankings.slice(0, MAX_ROWS).map(({ rank, name, value }, index) => {
    const y = index * ROW + 26;
    return [
      text({ x: 0, y, fill: index === 0 ? COLOURS.accent : COLOURS.soft }, String(rank)),
      text({ x: 80, y, weight: 700 }, fitted(name, NAME_ROOM / TEXT_SIZE)),
      text({ x: PLANE.width, y, anchor: 'end' }, boardFigure(orderBy, value)),
    ].join('\n');
  });
  return rows.join('\n');
}

function line(values: readonly number[]): string {
  if (values.length === 0) return '';
  const all = [0, ...values];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const y = (value: number): string =>
    (PLANE.height - ((value - low) / Math.max(1, high - low)) * PLANE.height).toFixed(1);
  const x = (index: number): string => ((index / (all.length - 1)) * PLANE.width).toFixed(1);
  const path = all.map((value, index) => `${x(index)} ${y(value)}`).join('L');
  return `<path d="M0 ${y(0)}H${PLANE.width}" stroke="${COLOURS.line}" stroke-width="3"/>
<path d="M${path}" fill="none" stroke="${COLOURS.accent}" stroke-width="6" stroke-linejoin="round"/>`;
}

interface TextStyle {
  readonly x: number;
  readonly y: number;
  readonly size?: number;
  readonly weight?: 400 | 700;
  readonly fill?: string;
  readonly anchor?: 'start' | 'end';
}

export function text(
  { x, y, size = TEXT_SIZE, weight = 400, fill = COLOURS.ink, anchor = 'start' }: TextStyle,
  content: string,
) {
  return `<text x="${x}" y="${y}" font-size="${size}" font-weight="${weight}" fill="${fill}" text-anchor="${anchor}">${escaped(content)}</text>`;
}
