import { parseArgs } from 'node:util';

export interface Settings {
  readonly url: string;
  /** Ids, both ends included; null: every decided round. */
  readonly rounds: RoundRange | null;
  readonly candles: string | null;
}

export interface RoundRange {
  readonly first: number;
  readonly last: number;
}

/** Bad arguments or an unreachable service; the message is for the caller. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify';
}

const USAGE = 'npx hourcast verify --url http://127.0.0.1:3000 [--rounds 1..200] [--candles <folder>]';

const RANGE = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/;

export function settingsOf(args: readonly string[]): Settings {
  const { url, rounds, candles } = optionsOf(args);
  if (url === undefined) throw refusal('--url is missing: the address of the service to verify');
  return { url: addressOf(url), rounds: rounds === undefined ? null : rangeOf(rounds), candles: candles ?? null };
}

function optionsOf(args: readonly string[]) {
  const options = { url: { type: 'string' }, rounds: { type: 'string' }, candles: { type: 'string' } } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: false }).values;
  } catch (error) {
    if (!isAboutArguments(error)) throw error;
    const [sentence = ''] = error.message.split('. ');
    throw refusal(sentence, error);
  }
}

function isAboutArguments(error: unknown): error is Error {
  return (
    typeof error === 'object' && error !== null && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
  );
}

function addressOf(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw refusal(`--url must be an address such as http://127.0.0.1:3000 (got ${JSON.stringify(text)})`);
  }
  return text.replace(/\/+$/, '');
}

function rangeOf(text: string): RoundRange {
  const [, first, last] = RANGE.exec(text) ?? [];
  if (first === undefined || Number(first) > Number(last)) {
    throw refusal(`--rounds must be a range of ids such as 1..200, the lower one first (got ${JSON.stringify(text)})`);
  }
  return { first: Number(first), last: Number(last) };
}

function refusal(what: string, cause?: unknown): CannotVerify {
  return new CannotVerify(`${what}.\nUsage: ${USAGE}`, { cause });
}
