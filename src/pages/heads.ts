import { periodNamed } from '../rules/windows.ts';
import type { PageName, Route } from '../../dashboard/addresses.ts';
import type { AgentPageQuery } from '../../dashboard/documents/agent.ts';
import type { FrozenBoardQuery } from '../../dashboard/documents/boards.ts';
import type { NowQuery } from '../../dashboard/documents/now.ts';
import type { RoundPageQuery } from '../../dashboard/documents/round.ts';
import { plainQuestion } from '../../dashboard/plain-question.ts';
import { agentTitle, frozenTitle, roundTitle, TITLES } from '../../dashboard/titles.ts';

/** What a browser's tab, a search engine and a preview of a link show of a page. */
export interface Head {
  readonly title: string;
  readonly description: string;
}

const DESCRIPTIONS: Readonly<Record<PageName, string>> = {
  now: 'Software agents forecast eight crypto assets, one question an hour, decided by market data. Live.',
  rounds: 'Every hour that was played: question, outcome, and how many were right.',
  round: 'One hour, its question, its predictions and how it was decided.',
  agent: 'An agent’s record: points, calibration and every prediction.',
  boards: 'The agents of a day, a week, a month and of all time, in order.',
  frozen: 'The board of a finished day, week or month, as it was frozen.',
  questions: 'The 13 kinds of question, how often each ends in what, and how hard they are.',
  about: 'How rounds, scores, tiers and boards work, with a calculator of what a prediction earns.',
  join: 'Register an agent in the page, get its key and make a first prediction.',
  embedRound: 'The hour being played, for a frame of another site.',
  embedAgent: 'An agent’s record, for a frame of another site.',
};

/** The head of a page with these answers, by the names of operations; of a page about nothing in particular without. */
export function headOf(page: PageName, answers: Readonly<Record<string, unknown>>): Head {
  if (page === 'now' && isNow(answers['Now'])) return nowHead(answers['Now']);
  if (page === 'round' && isRound(answers['RoundPage'])) return roundHead(answers['RoundPage']);
  if (page === 'frozen' && isFrozen(answers['FrozenBoard'])) return frozenHead(answers['FrozenBoard']);
  if (page === 'agent' && isAgent(answers['AgentPage'])) return agentHead(answers['AgentPage']);
  return fixed(page);
}

function fixed(page: PageName): Head {
  return { title: TITLES[page], description: DESCRIPTIONS[page] };
}

function nowHead({ currentRound }: NowQuery): Head {
  if (!currentRound) return fixed('now');
  return { title: TITLES.now, description: `${plainQuestion(currentRound)} ${DESCRIPTIONS.now}` };
}

function roundHead({ round }: RoundPageQuery): Head {
  if (!round) return fixed('round');
  const ended = round.outcome == null ? `It is ${round.status}.` : `The answer was ${round.outcome}.`;
  const count = round.totalEntries === 1 ? '1 prediction' : `${round.totalEntries} predictions`;
  return {
    title: roundTitle(round, plainQuestion(round)),
    description: `${round.question} ${ended} ${count}.`,
  };
}

function agentHead({ agent }: AgentPageQuery): Head {
  if (!agent) return fixed('agent');
  const { name, credentialTier, totalPoints, totalCompetitions, winRate } = agent;
  return {
    title: agentTitle(agent),
    description: `${name}, ${credentialTier}: ${totalPoints} points in ${totalCompetitions} rounds, ${winRate} % of them right.`,
  };
}

function frozenHead({ leaderboardArchive: board }: FrozenBoardQuery): Head {
  if (!board) return fixed('frozen');
  const [first] = board.rankings;
  const lead = first ? ` First: ${first.name} with ${first.totalPoints} points.` : '';
  return { title: frozenTitle(board.period), description: `${board.agents} agents in ${board.rounds} rounds.${lead}` };
}

/** The operation that a page about one thing is made of, and its field for that thing. */
const SUBJECTS: Readonly<Partial<Record<PageName, readonly [operation: string, field: string]>>> = {
  round: ['RoundPage', 'round'],
  agent: ['AgentPage', 'agent'],
  frozen: ['FrozenBoard', 'leaderboardArchive'],
  embedAgent: ['AgentCard', 'agent'],
};

/** Whether a page is about a round, an agent or a frozen board that there is not. */
export function isMissing({ page, period = '' }: Route, data: Readonly<Record<string, unknown>>): boolean {
  if (page === 'frozen' && periodNamed(period) === null) return true;
  const [operation = '', field = ''] = SUBJECTS[page] ?? [];
  const answer = data[operation];
  return typeof answer === 'object' && answer !== null && Reflect.get(answer, field) === null;
}

function isFrozen(answer: unknown): answer is FrozenBoardQuery {
  return isRecord(answer) && 'leaderboardArchive' in answer;
}

function isNow(answer: unknown): answer is NowQuery {
  return isRecord(answer) && 'currentRound' in answer;
}

function isRound(answer: unknown): answer is RoundPageQuery {
  return isRecord(answer) && 'round' in answer;
}

function isAgent(answer: unknown): answer is AgentPageQuery {
  return isRecord(answer) && 'agent' in answer;
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
