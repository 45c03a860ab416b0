import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';

const past = () => import('./past.ts');
const own = () => import('./own.ts');

/** Each page is the component `Page` in the file of its name, fetched when it is shown. */
export const PAGES: Readonly<Record<PageName, () => Promise<{ readonly Page: Page }>>> = {
  now: () => import('./now.tsx'),
  rounds: () => past().then((pages) => ({ Page: pages.rounds })),
  round: () => import('./round.tsx'),
  agents: () => import('./agents.tsx'),
  agent: () => import('./agent.tsx'),
  boards: () => import('./boards.tsx'),
  archive: () => past().then((pages) => ({ Page: pages.archive })),
  frozen: () => past().then((pages) => ({ Page: pages.frozen })),
  models: () => import('./models.tsx'),
  forecast: () => import('./forecast.tsx'),
  questions: () => import('./questions.tsx'),
  about: () => import('./about.tsx'),
  join: () => own().then((pages) => ({ Page: pages.join })),
  me: () => own().then((pages) => ({ Page: pages.me })),
  embedRound: () => import('./embed-round.tsx'),
  embedBoard: () => import('./embed-board.tsx'),
  embedAgent: () => import('./embed-agent.tsx'),
};
