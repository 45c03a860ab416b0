import { parseArgs } from 'node:util';

import { CommandError, type CommandEnd, type Variables, withExitCodes } from '../command-line.ts';
import { reasonOfFetch } from '../database/failures.ts';
import { ADMIN_ACTIONS, ADMIN_FIELDS, ADMIN_LISTS, type AdminAction } from '../rules/admin-actions.ts';
import { MINUTE } from '../rules/hours.ts';

const DONE = 0;
/** The service refused. */
const REFUSED = 1;
/** A wrong command; nothing was sent. */
const WRONG = 2;
/** The service did not respond, or failed. */
const FAILED = 3;

const USUAL_URL = 'http://127.0.0.1:3000';
/** Longer than an action's timeout. */
const ACTION_MS = 6 * MINUTE;

const OPTIONS = {
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  name: { type: 'string' },
  outcome: { type: 'string' },
  'from-evidence': { type: 'boolean' },
  end: { type: 'boolean' },
  round: { type: 'string' },
  search: { type: 'string' },
  limit: { type: 'string' },
  before: { type: 'string' },
} as const;

type OptionValues = Readonly<Record<string, string | boolean | undefined>>;

interface ServiceRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
}

/** `hourcast admin ...`: reads and acts on the service at `HOURCAST_URL`, with `ADMIN_TOKEN`. */
export const adminCommand = withExitCodes(async (words: readonly string[], variables: Variables) => {
  const { values, positionals } = parseArgs({ args: [...words], options: OPTIONS, allowPositionals: true });
  if (values.help === true || positionals.length === 0) return { code: values.help ? DONE : WRONG, stdout: help() };
  const { HOURCAST_URL, ADMIN_TOKEN: token } = variables;
  if (!token) throw new CommandError('ADMIN_TOKEN must be set to the ADMIN_TOKEN of the service.');
  return sendRequest(requestFor(positionals, values), {
    url: HOURCAST_URL || USUAL_URL,
    token,
    asJson: values.json === true,
  });
}, 'npx hourcast admin --help lists the commands.\n');

/** Throws `CommandError`. */
function requestFor([word = '', id, ...more]: readonly string[], values: OptionValues): ServiceRequest {
  const row: AdminAction | undefined = ADMIN_ACTIONS.find(({ name }) => name === word);
  const list = ADMIN_LISTS.find(({ name }) => name === word);
  const takes: readonly string[] = list?.takes ?? ['reason', 'dry-run', ...(row?.takes ?? []).map(optionOf)];
  const surplus = Object.keys(values).find((name) => name !== 'json' && !takes.includes(name));
  if (row === undefined && list === undefined) throw new CommandError(`There is no command "${word}".`);
  if (surplus !== undefined) throw new CommandError(`${word} has no option --${surplus}.`);
  if (more.length > 0 || (list !== undefined && id !== undefined))
    throw new CommandError(`${word} was given too many words.`);
  if (list !== undefined) {
    const query = new URLSearchParams(takes.flatMap((name) => (name in values ? [[name, String(values[name])]] : [])));
    return { method: 'GET', path: `/admin/${word}${query.size > 0 ? `?${query}` : ''}` };
  }
  if (id === undefined) throw new CommandError(`${word} needs the id of one of the ${row?.of}, such as: ${word} 12`);
  if (values['reason'] === undefined) throw new CommandError(`${word} needs --reason "..."; the audit records it.`);
  const { reason, 'dry-run': dryRun = false } = values;
  const fields = Object.fromEntries((row?.takes ?? []).map((field) => [field, values[optionOf(field)]]));
  const path = `/admin/${row?.of}/${encodeURIComponent(id)}/${word}`;
  return { method: 'POST', path, body: { reason, ...fields, dry_run: dryRun } };
}

function optionOf(field: string): string {
  return field.replaceAll('_', '-');
}

/** An option as help shows it, with ` ...` if it has a value. */
export function optionText(field: string): string {
  const options: Readonly<Record<string, { readonly type: string }>> = OPTIONS;
  return `[--${optionOf(field)}${options[optionOf(field)]?.type === 'boolean' ? '' : ' ...'}]`;
}

interface Service {
  readonly url: string;
  readonly token: string;
  readonly asJson: boolean;
}

async function sendRequest(
  { method, path, body }: ServiceRequest,
  { url, token, asJson }: Service,
): Promise<CommandEnd> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(ACTION_MS);
  try {
    const sent = body === undefined ? null : JSON.stringify(body);
    // The token must not follow a redirect.
    const response = await fetch(url.replace(/\/+$/, '') + path, {
      method,
      headers,
      body: sent,
      redirect: 'error',
      signal,
    });
    const found: unknown = await response.json();
    const text = asJson ? `${JSON.stringify(found, null, 2)}\n` : textOf(found);
    if (response.ok) return { code: DONE, stdout: text };
    return { code: response.status < 500 ? REFUSED : FAILED, [asJson ? 'stdout' : 'stderr']: text };
  } catch (cause) {
    return { code: FAILED, stderr: `${url} does not answer as Hourcast does: ${reasonOfFetch(cause)}\n` };
  }
}

/** An answer as text: nested rows as `name value`. */
function textOf(found: unknown): string {
  if (typeof found !== 'object' || found === null) return `${String(found)}\n`;
  if ('error' in found) return `${String(found.error)}\n`;
  return Object.entries(found)
    .map(([name, value]) =>
      Array.isArray(value)
        ? `${name}: ${value.length === 0 ? 'none' : ''}\n${value.map((row) => `  ${lineOf(row)}\n`).join('')}`
        : `${name}: ${lineOf(value)}\n`,
    )
    .join('');
}

function lineOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Object.entries(value).filter(([, part]) => part !== null);
  return parts.map(([name, part]) => `${name} ${typeof part === 'object' ? JSON.stringify(part) : part}`).join(', ');
}

function helpOf(rows: typeof ADMIN_LISTS | typeof ADMIN_ACTIONS, id: string): string {
  const lines = rows.map(({ name, summary, takes }) => {
    const words = [`${name}${id}`, ...takes.map(optionText)].join(' ');
    return `  ${words.padEnd(34)} ${summary}\n`;
  });
  return lines.join('');
}

function help(): string {
  const fields = Object.entries(ADMIN_FIELDS).map(
    ([name, { summary }]) => `  --${optionOf(name).padEnd(32)} ${summary}\n`,
  );
  return [
    'npx hourcast admin <command>: for operators of a running service.\n\n',
    helpOf(ADMIN_LISTS, ''),
    '\nEach of these needs --reason "..."; --dry-run only shows what it would do:\n\n',
    helpOf(ADMIN_ACTIONS, ' <id>'),
    ...fields,
    '\n  --json                             the answer as JSON\n',
    `\nHOURCAST_URL is the service, ${USUAL_URL} unless set; ADMIN_TOKEN is its token.\n`,
    'Exit codes: 0 done, 1 refused by the service, 2 a wrong command, 3 the service was not reached or failed.\n',
  ].join('');
}
