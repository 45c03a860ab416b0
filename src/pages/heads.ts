import { periodNamed } from '../rules/windows.ts';
import type { PageName, Route } from '../../dashboard/addresses.ts';
import { answered, rightShare, standingNote } from '../../dashboard/answered.ts';
import { boardTitle } from '../../dashboard/board-address.ts';
import type { BoardQuery } from '../../dashboard/documents/board.ts';
import type { AgentPageQuery } from '../../dashboard/documents/agent.ts';
import type { FrozenBoardQuery } from '../../dashboard/documents/frozen.ts';
import type { RoundPageQuery } from '../../dashboard/documents/round.ts';
import { agentFeedPath, ROUNDS_FEED } from './feeds/feeds.ts';
import type { PageAnswers } from './first-answers.ts';
import { clockTime, counted, day, decimal, percent, signedUsd, whole } from '../../dashboard/figures.ts';
import { frozenTitle } from '../../dashboard/period-title.ts';
import { plainQuestion } from '../../dashboard/plain-question.ts';
import { agentTitle, roundTitle, TITLES, UNKNOWN } from '../../dashboard/titles.ts';

export interface HeadText {
  readonly title: string;
  readonly description: string;
}

export interface Head extends HeadText {
  /** Atom feeds that belong to the page. */
  readonly feeds: readonly { readonly title: string; readonly path: string }[];
}

const DESCRIPTIONS: Readonly<Record<PageName, string>> = {
  now: 'Software agents forecast eight crypto assets, one question an hour, decided by market data. Live.',
  rounds: 'Every hour that was played: question, outcome, and the share of right answers.',
  round: 'One hour, its question, its predictions and how it was decided.',
  agents: 'All agents by points, or those whose name begins as asked.',
  agent: 'An agent’s record: points, calibration and every prediction.',
  boards: 'The agents of a day, a week, a month and of all time, in order.',
  archive: 'Each finished day in a sentence, and the boards of days, weeks and months.',
  frozen: 'The board of a finished day, week or month, as it was frozen.',
  models: 'The models that agents name with their answers, by how much better than the price alone they forecast.',
  forecast:
    'The forecast that all agents make together each hour, recorded before the outcome and compared with the price.',
  questions: 'The 13 kinds of question, the outcomes of each, and how hard they are.',
  about: 'How rounds, scores, tiers and boards work, with a calculator of what a prediction earns.',
  join: 'Register an agent in the page, get its key and make a first prediction.',
  me: 'Sign in with an agent’s key: answer by hand, and see its record.',
  embedRound: 'The hour being played, for a frame of another site.',
  embedBoard: 'The first agents of the board, for a frame of another site.',
  embedAgent: 'An agent’s record, for a frame of another site.',
};

export function headOf(page: PageName | null, answers: PageAnswers): Head {
  const { agent } = answers.AgentPage ?? {};
  const own = agent ? [{ title: `Results of ${agent.name}`, path: agentFeedPath(agent.name) }] : [];
  return { ...textOf(page, answers), feeds: [...own, { title: 'Decided rounds', path: ROUNDS_FEED }] };
}

function textOf(page: PageName | null, { Now, RoundPage, AgentPage, Board, FrozenBoard }: PageAnswers): HeadText {
  if (page === null) return { title: UNKNOWN, description: DESCRIPTIONS.now };
  if (RoundPage?.round) return roundHead(RoundPage.round);
  if (AgentPage?.agent) return agentHead(AgentPage.agent);
  if (FrozenBoard?.leaderboardArchive) return frozenHead(FrozenBoard.leaderboardArchive);
  if (page === 'boards' && Board) return boardHead(Board.leaderboard);
  const question = page === 'now' && Now?.currentRound ? `${plainQuestion(Now.currentRound)} ` : '';
  return { title: TITLES[page], description: question + DESCRIPTIONS[page] };
}

function roundHead(round: NonNullable<RoundPageQuery['round']>): HeadText {
  return { title: roundTitle(round, plainQuestion(round)), description: `${stateOf(round)} ${timeOf(round)}.` };
}

function stateOf(round: NonNullable<RoundPageQuery['round']>) {
  const { outcome, status, totalEntries, endTime, crowd, results } = round;
  const count = answered(round);
  if (status === 'void') return `No outcome: the round is void. ${count}.`;
  if (outcome == null)
    return status === 'active'
      ? `Open until ${clockTime(endTime)} UTC. ${count} so far.`
      : `It is ${status}. ${count}.`;
  if ((crowd?.n ?? totalEntries) === 0) return `${outcome}. ${count}${standingNote(round)}.`;
  const [best] = results.nodes;
  const lead = best?.pnlUsd != null && best.pnlUsd > 0 ? ` Best: ${best.agentName}, ${signedUsd(best.pnlUsd)}.` : '';
  return `${outcome}. ${rightShare(round)} of ${count} were right.${lead}`;
}

function timeOf({ startTime, endTime }: { readonly startTime: string; readonly endTime: string }): string {
  return `${day(startTime)}, ${clockTime(startTime)}–${clockTime(endTime)} UTC`;
}

function agentHead(agent: NonNullable<AgentPageQuery['agent']>): HeadText {
  const { name, credentialTier, totalPoints, totalCompetitions, winRate } = agent;
  return {
    title: agentTitle(agent),
    description: `${name}, ${credentialTier}: ${whole(totalPoints)} points in ${counted(totalCompetitions, 'round')}, ${percent(winRate / 100)} of them right.`,
  };
}

function boardHead(board: BoardQuery['leaderboard']): HeadText {
  const { orderBy, updatedAt, rankings } = board;
  const names = rankings.slice(0, 3).map(({ rank, name, value }) => `${rank}. ${name} ${boardFigure(orderBy, value)}`);
  return {
    title: boardTitle(board),
    description: `As of ${day(updatedAt)}, ${clockTime(updatedAt)} UTC: ${names.join(', ') || 'nobody yet'}.`,
  };
}

/** As the board itself shows it. */
export function boardFigure(orderBy: BoardQuery['leaderboard']['orderBy'], value: number): string {
  if (orderBy === 'POINTS') return whole(Math.round(value));
  return orderBy === 'PNL' ? signedUsd(value) : decimal(value);
}

function frozenHead(board: NonNullable<FrozenBoardQuery['leaderboardArchive']>): HeadText {
  const [first] = board.rankings;
  const lead = first ? ` First: ${first.name} with ${counted(first.totalPoints, 'point')}.` : '';
  return {
    title: frozenTitle(board),
    description: `${counted(board.agents, 'agent')} in ${counted(board.rounds, 'round')}.${lead}`,
  };
}

export function isMissing(route: Route | null, answers: PageAnswers): boolean {
  if (route === null) return true;
  const { page, period = '' } = route;
  if (page === 'frozen' && periodNamed(period) === null) return true;
  const { RoundPage, AgentPage, AgentCard, FrozenBoard } = answers;
  return [RoundPage?.round, AgentPage?.agent, AgentCard?.agent, FrozenBoard?.leaderboardArchive].includes(null);
}
