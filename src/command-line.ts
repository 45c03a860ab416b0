import { readFileSync } from 'node:fs';

import { SETTING_NAMES } from './config.ts';
import { StartError } from './rules/errors.ts';

/** The environment that a command is given. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** How a command ends: its exit code, and what it prints. */
export interface CommandEnd {
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

const PACKAGE = new URL('../package.json', import.meta.url);

/**
 * Returns what the arguments of the command ask for, to be written instead of starting; null without any. Throws a
 * `StartError` for arguments that it does not know.
 */
export function replyTo(args: readonly string[], version: string): string | null {
  const [word] = args;
  if (word === undefined) return null;
  if (word === '--version' || word === '-v') return version;
  if (word === '--help' || word === '-h' || word === 'help') return help(version);
  throw new StartError(
    `The argument must be --help or --version (got ${word}); settings are environment variables, such as PORT=5000.`,
  );
}

function help(version: string): string {
  return [
    `Hourcast ${version}: an hourly forecasting arena for software agents.`,
    '',
    'npm start                     starts the service; Ctrl-C or SIGTERM stops it',
    'npx hourcast admin --help     what operators do with a running one',
    'npx hourcast doctor           says what is wrong with a deployment',
    'npx hourcast backup FOLDER    writes the database into a folder; `restore` puts it back, `rehearse` tries that beside',
    'PORT=5000 npm start           settings are environment variables; docs/settings.md says what each takes:',
    '',
    ...SETTING_NAMES.map((name) => `  ${name}`),
  ].join('\n');
}

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}

export interface Misspelt {
  readonly name: string;
  /** The setting that it is close to. */
  readonly meant: string;
}

/** In shorter names one letter makes another word: PORT, SORT. */
const SHORTEST_GUESSED = 6;
/** Names of so many letters are alike also where two differ. */
const LONG = 8;

/** Variables that are no settings but look like one: they would be overlooked without a word. */
export function misspelt(names: readonly string[]): readonly Misspelt[] {
  return names.flatMap((name) => {
    if (SETTING_NAMES.includes(name)) return [];
    const meant = SETTING_NAMES.find((setting) => isAlike(name.toUpperCase(), setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isAlike(name: string, setting: string): boolean {
  if (name === setting) return true;
  if (setting.length < SHORTEST_GUESSED) return false;
  return differences(name, setting) <= (setting.length < LONG ? 1 : 2);
}

/** How many letters have to be put in, left out or changed to make one word of the other. */
function differences(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (const [place, wanted] of other.split('').entries()) {
      const changed = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
