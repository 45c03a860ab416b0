import { type Period, PERIODS } from '../rules/windows.ts';

/** The pages, by the name of their address's first part; those with an id take one more part. */
const PAGES = {
  '': { list: 'now', one: null },
  rounds: { list: 'rounds', one: 'round' },
  agents: { list: null, one: 'agent' },
  leaderboard: { list: 'boards', one: null },
  questions: { list: 'questions', one: null },
  about: { list: 'about', one: null },
  join: { list: 'join', one: null },
} as const;

export type PageName = 'now' | 'rounds' | 'round' | 'agent' | 'boards' | 'questions' | 'about' | 'join';

/** Which page an address shows. */
export interface Place {
  readonly page: PageName;
  /** Of the round or the agent; 0 on pages about neither. */
  readonly id: number;
  /** What follows the address's `?`. */
  readonly search: string;
}

/** The same addresses as patterns, such as `/rounds/:id`. */
export const PATTERNS: readonly string[] = Object.entries(PAGES).flatMap(([name, { list, one }]) => [
  ...(list === null ? [] : [`/${name}`]),
  ...(one === null ? [] : [`/${name}/:id`]),
]);

const MAX_ID = 2_147_483_647;

/** The place that an address stands for, or null when it is none of the page's. */
export function placeAt(path: string, search = ''): Place | null {
  const [first = '', second, ...rest] = path.replace(/^\//, '').split('/');
  const found = Object.entries(PAGES).find(([name]) => name === first)?.[1];
  if (found === undefined || rest.length > 0) return null;
  if (second === undefined) return found.list && { page: found.list, id: 0, search };
  const id = /^[1-9]\d{0,9}$/.test(second) ? Number(second) : 0;
  return found.one !== null && id > 0 && id <= MAX_ID ? { page: found.one, id, search } : null;
}

/** The window that an address asks for with `?period=`; the week when it asks for none. */
export function periodIn(search: string): Period {
  const asked = new URLSearchParams(search).get('period');
  return PERIODS.find((period) => period === asked) ?? 'weekly';
}

/** The address of a round's page. */
export function roundPath(id: number): string {
  return `/rounds/${id}`;
}

/** The address of an agent's page. */
export function agentPath(id: number): string {
  return `/agents/${id}`;
}
