import { plainQuestion } from '../../dashboard/plain-question.ts';
import type { LeaderboardRow, OwnPrediction, RecentRound } from '../../clients/js/src/index.ts';
import type { CurrentRound } from './arena.ts';

type Ranking = Pick<LeaderboardRow, 'name' | 'rank' | 'total_points'>;
type OwnAnswer = Pick<OwnPrediction, 'prediction' | 'confidence' | 'score' | 'is_correct'>;

/** The number of leaders to name. */
const LEADERS = 3;

/** A finished round, for the console. */
export interface RoundOver {
  readonly round: Pick<RecentRound, 'id' | 'outcome'>;
  /** The all-time board from the first rank on. */
  readonly board: readonly Ranking[];
  /** The caller's agent with its answer; null without one. */
  readonly you: { readonly name: string; readonly answer: OwnAnswer | null } | null;
}

/** In the page's short form. */
export function askedNow({ id, question_type: questionType, choices, params }: CurrentRound): string {
  return `Round ${id}: ${plainQuestion({ questionType, choices, params: { ...params, thresholdPct: params.threshold_pct } })}`;
}

/** The outcome, the caller's result and the leaders. */
export function roundOver({ round, board, you }: RoundOver): string {
  const end = round.outcome === null ? 'is void: nobody is scored.' : `is over: ${round.outcome}.`;
  const leaders = board
    .slice(0, LEADERS)
    .map(({ name, total_points: points }, place) => `${name} ${points}${place === 0 ? ' points' : ''}`);
  return [
    `Round ${round.id} ${end}`,
    ...(you === null ? [] : [`  ${you.name}: ${answered(you.answer)}${placed(you.name, board)}`]),
    ...(leaders.length === 0 ? [] : [`  Leading in all: ${leaders.join(', ')}.`]),
  ].join('\n');
}

function answered(answer: OwnAnswer | null): string {
  if (answer === null) return 'no answer.';
  const { prediction, confidence, score, is_correct: right } = answer;
  const text = `${prediction} at ${confidence} %`;
  return score === null ? `${text}.` : `${text}, ${right === 1 ? 'right' : 'wrong'}, ${signed(score)} points.`;
}

function placed(name: string, board: readonly Ranking[]): string {
  const own = board.find((one) => one.name === name);
  return own === undefined ? '' : ` In all ${own.total_points} points, place ${own.rank} of ${board.length}.`;
}

function signed(points: number): string {
  return points > 0 ? `+${points}` : String(points);
}
