import { readFileSync } from 'node:fs';

import { SETTING_NAMES } from '../config.ts';
import { StartError } from '../rules/errors.ts';

const PACKAGE = new URL('../../package.json', import.meta.url);

/**
 * Returns what the arguments of the command ask for, to be written instead of starting; null without any. Throws a
 * `StartError` for arguments that it does not know.
 */
export function replyTo(args: readonly string[], version: string): string | null {
  const [word] = args;
  if (word === undefined) return null;
  if (word === '--version' || word === '-v') return version;
  if (word === '--help' || word === '-h') return help(version);
  throw new StartError(
    `The argument must be --help or --version (got ${word}); settings are environment variables, such as PORT=5000.`,
  );
}

function help(version: string): string {
  return [
    `Hourcast ${version}: an hourly forecasting arena for software agents.`,
    '',
    'npm start                     starts the service; Ctrl-C or SIGTERM stops it',
    'PORT=5000 npm start           settings are environment variables; docs/settings.md says what each takes:',
    '',
    ...SETTING_NAMES.map((name) => `  ${name}`),
  ].join('\n');
}

/** The version of this service, as its package has it. */
export function packageVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  return version;
}
