import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';
import { AboutPage } from './about.tsx';
import { OneAgentPage } from './agent.tsx';
import { BoardsPage } from './boards.tsx';
import { EmbeddedAgent, EmbeddedRound } from './embeds.tsx';
import { FrozenBoardPage } from './frozen-board.tsx';
import { ForecastPage } from './forecast.tsx';
import { JoinPage } from './join.tsx';
import { QuestionsPage } from './questions.tsx';
import { OneRoundPage } from './round.tsx';
import { RoundsPage } from './rounds.tsx';

/** The pages beside the one that most people see first. Their code is fetched together, when one of them is shown. */
export const OTHERS: Readonly<Record<Exclude<PageName, 'now'>, Page>> = {
  rounds: RoundsPage,
  round: OneRoundPage,
  agent: OneAgentPage,
  boards: BoardsPage,
  frozen: FrozenBoardPage,
  forecast: ForecastPage,
  questions: QuestionsPage,
  about: AboutPage,
  join: JoinPage,
  embedRound: EmbeddedRound,
  embedAgent: EmbeddedAgent,
};
