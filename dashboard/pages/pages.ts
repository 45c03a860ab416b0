import type { PageName } from '../addresses.ts';
import type { Page } from '../navigation.ts';

/**
 * Each page's component, in a file that is called as the page. Its code is fetched when the page is shown, with what it
 * shares with others.
 */
export const PAGES: Readonly<Record<PageName, () => Promise<Page>>> = {
  now: async () => (await import('./now.tsx')).NowPage,
  rounds: async () => (await import('./rounds.tsx')).RoundsPage,
  round: async () => (await import('./round.tsx')).OneRoundPage,
  agent: async () => (await import('./agent.tsx')).OneAgentPage,
  boards: async () => (await import('./boards.tsx')).BoardsPage,
  archive: async () => (await import('./archive.tsx')).ArchivePage,
  frozen: async () => (await import('./frozen.tsx')).FrozenBoardPage,
  forecast: async () => (await import('./forecast.tsx')).ForecastPage,
  questions: async () => (await import('./questions.tsx')).QuestionsPage,
  about: async () => (await import('./about.tsx')).AboutPage,
  join: async () => (await import('./join.tsx')).JoinPage,
  embedRound: async () => (await import('./embed-round.tsx')).EmbeddedRound,
  embedAgent: async () => (await import('./embed-agent.tsx')).EmbeddedAgent,
};
