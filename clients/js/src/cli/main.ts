#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { type ClientOptions, createClient } from '../client.ts';
import { HourcastError } from '../errors.ts';
import { settingsOf } from '../settings.ts';
import { type Command, type Context, givenOf, type Given } from './command.ts';
import { COMMANDS, commandCalled } from './commands.ts';
import { EXIT, exitCodeOf, Interrupted, NoKeyError, UsageError } from './exit-codes.ts';
import { COMMON_OPTIONS, helpOf, usage } from './help.ts';
import { outputTo } from './output.ts';

/** Short, since a person waits. */
const PATIENCE_SECONDS = 10;

const [name = '', ...parameters] = process.argv.slice(2);
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
const output = outputTo({
  stdout: process.stdout,
  stderr: process.stderr,
  environment: process.env,
  isJson: process.argv.includes('--json'),
});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader that has enough, such as `head`, is no failure.
  if (error.code === 'EPIPE') process.exit(EXIT.done);
  output.note(error.message);
  process.exit(EXIT.failed);
});

try {
  process.exitCode = await run();
} catch (error) {
  report(error);
  process.exitCode = exitCodeOf(error);
}

async function run(): Promise<number> {
  if (name === '--version') return print(version);
  if (name === '' || name === '--help' || name === 'help') return print(usage(COMMANDS), name === '');
  const command = commandCalled(name);
  const { given, words } = parse(command);
  if (given.has('help')) return print(helpOf(command));
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => ending.abort(new Interrupted(signal)));
  }
  try {
    return (await command.run(contextOf(command, { given, words, signal: ending.signal }))) ?? EXIT.done;
  } finally {
    output.idle();
    // Open connections, such as the feed of a failed command, would keep the process alive.
    ending.abort();
  }
}

/** Unrequested text goes to standard error. */
function print(text: string, isComplaint = false): number {
  (isComplaint ? process.stderr : process.stdout).write(`${text}\n`);
  return isComplaint ? EXIT.usage : EXIT.done;
}

function parse(command: Command): Pick<Context, 'given' | 'words'> {
  const options = { ...COMMON_OPTIONS, ...command.options };
  try {
    const { values, positionals } = parseArgs({ args: parameters, options, allowPositionals: true });
    const [min, max] = command.words ?? [0, 0];
    const isFit = positionals.length >= min && positionals.length <= max;
    if (!isFit && values['help'] !== true)
      throw new UsageError(`Usage: ${`${command.name} ${command.usage ?? ''}`.trim()}.`);
    return { given: givenOf(values), words: positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message.replace(/\. .*$/s, '.'));
    throw error;
  }
}

function contextOf(command: Command, parsed: Pick<Context, 'given' | 'words' | 'signal'>): Context {
  const clientOptions = clientOptionsOf(parsed.given);
  const hasKey = Boolean(clientOptions.key);
  if (command.needsKey && !hasKey) throw new NoKeyError();
  const connect = (options: ClientOptions = {}) => createClient({ ...clientOptions, ...options });
  return { ...parsed, connect, clientOptions, hasKey, output, version };
}

function clientOptionsOf(given: Given): ClientOptions {
  const { url, key = '' } = settingsOf({ url: given.text('url') });
  let isTold = false;
  const patience = given.whole('patience', { min: 0, max: 86_400 }) ?? PATIENCE_SECONDS;
  return {
    url,
    key,
    patienceMs: patience * 1000,
    onRetry: ({ error, waitMs }) => {
      if (!isTold) output.note(`${error.message} Retrying.`);
      isTold = true;
      output.progress(`${error.message} Next try in ${(waitMs / 1000).toFixed(1)} s`);
    },
  };
}

function report(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Interrupted) return;
  if (output.isJson) {
    const { code, status, retryAfter } = error instanceof HourcastError ? error : { code: codeOf(error) };
    output.json({ error: message, code, ...(status && { status }), ...(retryAfter && { retry_after: retryAfter }) });
    return;
  }
  output.note(message);
  const about = COMMANDS.some((one) => one.name === name) ? `${name} ` : '';
  if (error instanceof UsageError) output.note(`"hourcast-client ${about}--help" says more.`);
}

function codeOf(error: unknown): string {
  if (error instanceof UsageError) return 'usage';
  return error instanceof NoKeyError ? 'missing_key' : 'failed';
}
