import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';

const past = () => import('./past.ts');
const own = () => import('./own.ts');
const boards = () => import('./all-boards.ts');

/** Each page is the component `Page` in the file of its name, fetched when it is shown. */
export const PAGES: Readonly<Record<PageName, () => Promise<{ readonly Page: Page }>>> = {
  now: () => import('./now.tsx'),
  rounds: () => past().then((pages) => ({ Page: pages.rounds })),
  round: () => import('./round.tsx'),
  agents: () => boards().then((pages) => ({ Page: pages.agents })),
  agent: () => import('./agent.tsx'),
  boards: () => boards().then((pages) => ({ Page: pages.boards })),
  archive: () => past().then((pages) => ({ Page: pages.archive })),
  frozen: () => past().then((pages) => ({ Page: pages.frozen })),
  models: () => import('./models.tsx'),
  forecast: () => import('./forecast.tsx'),
  questions: () => import('./questions.tsx'),
  about: () => import('./about.tsx'),
  join: () => own().then((pages) => ({ Page: pages.join })),
  me: () => own().then((pages) => ({ Page: pages.me })),
  embedRound: () => import('./embed-round.tsx'),
  embedBoard: () => boards().then((pages) => ({ Page: pages.embedBoard })),
  embedAgent: () => import('./embed-agent.tsx'),
};
