import { readFileSync } from 'node:fs';

import { SETTING_NAMES } from './config.ts';
import { codeOf, DENIED, reason } from './database/failures.ts';
import { editsBetween } from './http/nearest-name.ts';
import { StartError } from './rules/errors.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface CommandEnd {
  readonly code: number;
  readonly stdout?: string;
  readonly stderr?: string;
}

/** A wrong command, before it did anything. */
export class CommandError extends Error {}

/** Wraps a command: a `StartError` ends it with code 1, invalid arguments with code 2 and `usage`. */
export function withExitCodes<Given extends readonly unknown[]>(
  run: (...given: Given) => Promise<CommandEnd>,
  usage = '',
): (...given: Given) => Promise<CommandEnd> {
  return (...given) =>
    run(...given).catch((error: unknown) => {
      if (error instanceof StartError) return { code: 1, stderr: `${error.message}\n` };
      if (codeOf(error) === DENIED) return { code: 1, stderr: `${reason(error)}\n` };
      const isWrong = error instanceof CommandError || codeOf(error).startsWith('ERR_PARSE_ARGS');
      if (isWrong) return { code: 2, stderr: `${reason(error)}\n${usage}` };
      throw error;
    });
}

const PACKAGE = new URL('../package.json', import.meta.url);

/** Null: start the service. Throws a `StartError` for unknown arguments. */
export function replyTo(args: readonly string[], version: string): string | null {
  const [word] = args;
  if (word === undefined) return null;
  if (word === '--version' || word === '-v') return version;
  if (word === '--help' || word === '-h' || word === 'help') return help(version);
  // The first word of `npx hourcast` starts them; this one comes after a settings file.
  if (word === 'sandbox' || word === 'demo')
    throw new StartError(`${word} takes no settings file: it must be the first argument.`);
  throw new StartError(
    `The argument must be a command that --help lists, --help or --version (got ${word}); settings are environment variables, such as PORT=5000.`,
  );
}

const COMMANDS = [
  ['', 'starts the service; Ctrl-C or SIGTERM stops it'],
  ['--settings-file=.env', 'starts it with the settings in a file, as `npm start` does in a clone'],
  ['sandbox', 'starts a service for experiments: an hour in 30 seconds, house agents, a ready key'],
  ['demo', 'starts such a service with house agents alone'],
  ['admin --help', 'lists the actions of operators on a running service'],
  ['doctor', 'checks a deployment and lists what is wrong'],
  ['backup FOLDER', 'writes the database into a folder; `restore` restores it, `rehearse` tests that'],
  ['archive 2026-10 FOLDER', 'writes a finished month into a folder; KEEP_MONTHS drops it then'],
  ['candles import', 'merges files of exchanges into a folder of candles to replay'],
  ['site FOLDER', 'writes the pages as files that need no service'],
  ['verify --url URL', "recomputes a service's published results; --log URL checks its log"],
] as const;

function help(version: string): string {
  return [
    `Hourcast ${version}: an hourly forecasting arena for software agents.`,
    '',
    ...COMMANDS.map(([words, does]) => `${`npx hourcast ${words}`.padEnd(36)}${does}`),
    '',
    'Settings are environment variables, such as PORT=5000, or lines of a file. docs/settings.md lists their values:',
    '',
    ...SETTING_NAMES.map((name) => `  ${name}`),
  ].join('\n');
}

export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}

/** Shorter names are not corrected: one letter turns them into other words (PORT, SORT). */
const SHORTEST_GUESSED = 6;
const LONG = 8;

/** Misspelt settings would be ignored silently. */
export function misspelt(names: readonly string[]): { name: string; meant: string }[] {
  return names.flatMap((name) => {
    if (SETTING_NAMES.includes(name)) return [];
    const meant = SETTING_NAMES.find((setting) => isAlike(name.toUpperCase(), setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isAlike(name: string, setting: string): boolean {
  if (name === setting) return true;
  if (setting.length < SHORTEST_GUESSED) return false;
  const most = setting.length < LONG ? 1 : 2;
  return editsBetween(name, setting, most) <= most;
}
