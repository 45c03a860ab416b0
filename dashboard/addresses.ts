/** Names are the first part of the address; pages with an id have a second one. */
const PAGES = {
  '': { list: 'now', one: null },
  rounds: { list: 'rounds', one: 'round' },
  agents: { list: 'agents', one: 'agent' },
  leaderboard: { list: 'boards', one: 'frozen' },
  archive: { list: 'archive', one: null },
  forecast: { list: 'forecast', one: null },
  models: { list: 'models', one: null },
  questions: { list: 'questions', one: null },
  about: { list: 'about', one: null },
  join: { list: 'join', one: null },
  me: { list: 'me', one: null },
} as const;

/** Links of every page, and the pages that belong to each. */
export const NAV_LINKS = [
  { href: '/', text: 'Now', pages: ['now'] },
  { href: '/rounds', text: 'Rounds', pages: ['rounds', 'round'] },
  { href: '/leaderboard', text: 'Board', pages: ['boards', 'frozen', 'archive', 'agents', 'agent', 'models'] },
  { href: '/forecast', text: 'Forecast', pages: ['forecast'] },
  { href: '/questions', text: 'Questions', pages: ['questions'] },
  { href: '/about', text: 'About', pages: ['about'] },
  { href: '/docs', text: 'Docs', pages: ['docs'] },
] as const;

/** Pages that other sites may frame. */
const EMBEDS = '/embed/';
const FRAMES = { round: 'embedRound', board: 'embedBoard' } as const;

type Page = (typeof PAGES)[keyof typeof PAGES];

export type PageName = Page['list'] | NonNullable<Page['one']> | (typeof FRAMES)[keyof typeof FRAMES] | 'embedAgent';

export interface Route {
  readonly page: PageName;
  /** Id of the round or agent; 0 on other pages. */
  readonly id: number;
  /** Only for frozen boards, such as `2026-W47`. */
  readonly period?: string;
  /** The query without its `?`. */
  readonly search: string;
}

/** For the service: the page does not carry them. */
export function pageNames(): PageName[] {
  const pages = Object.values(PAGES).flatMap(({ list, one }) => (one === null ? [list] : [list, one]));
  return [...pages, ...Object.values(FRAMES), 'embedAgent'];
}

/** Patterns such as `/rounds/:id`, for the service: the page does not carry them. */
export function patterns(): string[] {
  return [
    ...Object.entries(PAGES).flatMap(([name, { one }]) => [`/${name}`, ...(one === null ? [] : [`/${name}/:id`])]),
    ...Object.keys(FRAMES).map((name) => EMBEDS + name),
    `${EMBEDS}agent/:id`,
  ];
}

/** The service checks the calendar: those rules would enlarge the first script. */
const PERIOD_FORM = /^\d{4}-W?\d\d(-\d\d)?$/;
const MAX_ID = 2_147_483_647;

/** Null for other addresses. */
export function routeAt(path: string, search = ''): Route | null {
  if (path.startsWith(EMBEDS)) return embedded(path.slice(EMBEDS.length), search);
  const [first = '', second, ...rest] = path.replace(/^\//, '').split('/');
  const found = Object.entries(PAGES).find(([name]) => name === first)?.[1];
  if (found === undefined || rest.length > 0) return null;
  if (second === undefined) return { page: found.list, id: 0, search };
  if (found.one === 'frozen')
    return PERIOD_FORM.test(second) ? { page: 'frozen', id: 0, search, period: second } : null;
  const id = idIn(second);
  return found.one !== null && id !== null ? { page: found.one, id, search } : null;
}

function embedded(name: string, search: string): Route | null {
  if (name === 'round' || name === 'board') return { page: FRAMES[name], id: 0, search };
  const id = name.startsWith('agent/') ? idIn(name.slice('agent/'.length)) : null;
  return id === null ? null : { page: 'embedAgent', id, search };
}

export function isEmbed(page: PageName): page is Extract<PageName, `embed${string}`> {
  return page.startsWith('embed');
}

/** Null for other texts. */
export function idIn(text: string): number | null {
  const id = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : 0;
  return id > 0 && id <= MAX_ID ? id : null;
}

/** The other agent of `?against=`; null if absent. */
export function againstIn(search: string): number | null {
  return idIn(new URLSearchParams(search).get('against') ?? '');
}

export function frozenPath(period: string): string {
  return `/leaderboard/${period}`;
}

export function roundPath(id: number): string {
  return `/rounds/${id}`;
}

export function agentPath(id: number): string {
  return `/agents/${id}`;
}
