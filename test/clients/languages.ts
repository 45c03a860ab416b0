import { join } from 'node:path';

import { isInstalled } from '../support/installed.ts';
import { type Program, start, type Surroundings } from './programs.ts';

const HERE = import.meta.dirname;
export const PYTHON_SOURCES = join(HERE, '../../clients/python/src');

/** What a client is asked to do; seconds where it is about time. */
export interface Wish {
  /** A method in camel case, and its parameters. */
  readonly method?: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Options of the feed. */
  readonly events?: Readonly<Record<string, unknown>>;
  /** The list to export. */
  readonly rows?: string;
  readonly timeout?: number;
  readonly patience?: number;
  /** What its constructor is given. */
  readonly url?: string;
  readonly key?: string;
  /** Further clients, which are made alone. */
  readonly constructed?: readonly Pick<Wish, 'url' | 'key'>[];
}

export const KEY = `pk_live_${'0123456789abcdef'.repeat(3)}`;

/** The languages that there is a client in, from its sources. */
const LANGUAGES = [
  { language: 'JavaScript', program: process.execPath, driver: join(HERE, 'drivers/driver.ts') },
  { language: 'Python', program: 'python3', driver: join(HERE, 'drivers/driver.py') },
] as const;

export type Language = (typeof LANGUAGES)[number];

/** Those that run here. Throws for a missing one with CI=true. */
export const INSTALLED: readonly Language[] = LANGUAGES.filter(({ program }) => {
  const isThere = program === process.execPath || isInstalled(program);
  if (!isThere && process.env['CI'] === 'true') throw new Error(`${program} must be installed`);
  return isThere;
});

/** A program of the language that asks a service for it. */
export function ask(language: Language, url: string, wish: Wish): Program {
  return askIn(language, wish, { env: { HOURCAST_URL: url, HOURCAST_KEY: KEY } });
}

/** The same, in a folder and an environment of its own. */
export function askIn({ program, driver }: Language, wish: Wish, { env, ...surroundings }: Surroundings): Program {
  const python = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
  return start([program, driver, JSON.stringify(wish)], { ...surroundings, env: { ...python, ...env } });
}

/** What a driver has printed. */
export function valuesOf(text: string) {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}
