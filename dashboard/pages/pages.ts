import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';

const past = () => import('./past.ts');
const own = () => import('./own.ts');
const boards = () => import('./all-boards.ts');
const judged = () => import('./judged.ts');
const explained = () => import('./explained.ts');

/** A file's pages by name; `Page`: a file of one. */
type Pages = Readonly<Partial<Record<PageName | 'Page', Page>>>;

/** The file of each page, fetched when the page is shown. */
export const PAGES: Readonly<Record<PageName, () => Promise<Pages>>> = {
  now: () => import('./now.tsx'),
  rounds: past,
  round: () => import('./round.tsx'),
  agents: boards,
  agent: () => import('./agent.tsx'),
  boards,
  archive: past,
  frozen: past,
  models: judged,
  forecast: judged,
  questions: explained,
  about: explained,
  join: own,
  me: own,
  embedRound: () => import('./embed-round.tsx'),
  embedBoard: boards,
  embedAgent: () => import('./embed-agent.tsx'),
};
