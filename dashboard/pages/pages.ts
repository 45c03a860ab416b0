import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';

/** Each page is the component `Page` in the file of its name, fetched when it is shown. */
export const PAGES: Readonly<Record<PageName, () => Promise<{ readonly Page: Page }>>> = {
  now: () => import('./now.tsx'),
  rounds: () => import('./rounds.tsx'),
  round: () => import('./round.tsx'),
  agent: () => import('./agent.tsx'),
  boards: () => import('./boards.tsx'),
  archive: () => import('./archive.tsx'),
  frozen: () => import('./frozen.tsx'),
  models: () => import('./models.tsx'),
  forecast: () => import('./forecast.tsx'),
  questions: () => import('./questions.tsx'),
  about: () => import('./about.tsx'),
  join: () => import('./join.tsx'),
  me: () => import('./me.tsx'),
  embedRound: () => import('./embed-round.tsx'),
  embedBoard: () => import('./embed-board.tsx'),
  embedAgent: () => import('./embed-agent.tsx'),
};
