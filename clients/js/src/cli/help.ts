import type { Command, Option } from './command.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Options of every command. */
export const COMMON_OPTIONS: Readonly<Record<string, Option>> = {
  url: { type: 'string', value: 'URL', about: 'the service; otherwise HOURCAST_URL, or http://127.0.0.1:3000' },
  patience: { type: 'string', value: 'SECONDS', about: 'how long to retry while it is out of reach (10)' },
  json: { type: 'boolean', about: 'writes JSON for programs, also for a failure' },
  help: { type: 'boolean', about: 'shows this' },
};

export function usage(commands: readonly Command[]): string {
  return `hourcast-client COMMAND [OPTIONS]

${table(commands.map(({ name, about }) => [name, about]))}

Environment:
${table([
  ['HOURCAST_URL', 'the address of the service'],
  ['HOURCAST_KEY', 'the key of your agent; otherwise the one that "register" stored in hourcast.json'],
  ['NO_COLOR', 'no colours'],
])}

Exit codes:
${EXIT_CODES}

"hourcast-client COMMAND --help" shows the options of a command.`;
}

export function helpOf({ name, usage: words = '', about, options }: Command): string {
  return `${`hourcast-client ${name} ${words}`.trim()}

${about.slice(0, 1).toUpperCase()}${about.slice(1)}.

${table(Object.entries({ ...options, ...COMMON_OPTIONS }).map(([option, { value, about: told }]) => [`--${option}${value ? ` ${value}` : ''}`, told]))}`;
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}
