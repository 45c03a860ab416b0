import { parseArgs } from 'node:util';

import { reason } from '../database/failures.ts';

export interface Settings {
  readonly url: string;
  /** Ids, both ends included; null: every decided round. */
  readonly rounds: RoundRange | null;
  readonly candles: string | null;
  /** Folders with archives of months. */
  readonly archives?: readonly string[] | undefined;
  /** Checks the log instead of recomputing. */
  readonly log?: LogSettings | undefined;
}

export interface LogSettings {
  /** Keeps the last checkpoint that was seen. */
  readonly file: string;
  /** Follows the log instead of checking it once. */
  readonly watches: boolean;
  readonly witness: WitnessSettings | null;
}

export type WitnessSettings = ReturnType<typeof witnessOf>;
export type RoundRange = ReturnType<typeof rangeOf>;

/** Bad arguments, or a service that cannot be reached or read to its end; the message is for the caller. */
export class CannotVerify extends Error {
  override readonly name = 'CannotVerify';
}

export const USAGE = `npx hourcast verify --url http://127.0.0.1:3000 [--rounds 1..200] [--candles <folder>] [--archive <folder>]
       npx hourcast verify --log http://127.0.0.1:3000 [--log-file <file>] [--archive <folder>] [--watch] [--witness <name>=127.0.0.1:8850]`;

const RANGE = /^([1-9]\d{0,8})\.\.([1-9]\d{0,8})$/;

export function settingsOf(args: readonly string[]): Settings {
  const { values, positionals } = optionsOf(args);
  const { url = values.log === true ? positionals.shift() : undefined, rounds, candles, archive: archives } = values;
  const [extra] = positionals;
  if (extra !== undefined) throw refusal(`Unexpected argument '${extra}'`);
  const address = addressOf(values.url === undefined && values.log === true ? '--log' : '--url', url);
  const log = logSettingsOf(values, new URL(address).host);
  if (log !== undefined && (rounds ?? candles) !== undefined)
    throw refusal('--log must be without --rounds and --candles');
  if (archives !== undefined && log?.watches === true) throw refusal('--archive must be without --watch and --witness');
  return {
    url: address,
    rounds: rounds === undefined ? null : rangeOf(rounds),
    candles: candles ?? null,
    archives,
    log,
  };
}

function logSettingsOf(values: Options, host: string): LogSettings | undefined {
  const { log = false, watch = false, witness } = values;
  const file = values['log-file'] ?? `hourcast-log-${host.replaceAll(/[^\w.-]/g, '-')}.json`;
  if (log)
    return {
      file,
      watches: watch || witness !== undefined,
      witness: witness === undefined ? null : witnessOf(witness),
    };
  if (watch || (values['log-file'] ?? witness) !== undefined)
    throw refusal('--log-file, --watch and --witness must be with --log');
  return undefined;
}

const WITNESS = /^([^\s+=]{1,255})=(\[[\da-f:]+\]|[^:=]+):(\d{1,5})$/;

function witnessOf(text: string) {
  const [, name = '', host = '', port] = WITNESS.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw refusal(
      `--witness must be a name and an address such as witness.example=127.0.0.1:8850 (got ${JSON.stringify(text)})`,
    );
  return { name, host: host.replaceAll(/[[\]]/g, ''), port: Number(port) };
}

const OPTIONS = {
  url: { type: 'string' },
  rounds: { type: 'string' },
  candles: { type: 'string' },
  archive: { type: 'string', multiple: true },
  log: { type: 'boolean' },
  'log-file': { type: 'string' },
  watch: { type: 'boolean' },
  witness: { type: 'string' },
} as const;

type Options = ReturnType<typeof optionsOf>['values'];

function optionsOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    const [sentence = ''] = reason(error).split('. ');
    throw refusal(sentence, error);
  }
}

function addressOf(option: string, text: string | undefined): string {
  if (text === undefined || !/^https?:$/.test(URL.parse(text)?.protocol ?? '')) {
    const given = text === undefined ? 'none' : JSON.stringify(text);
    throw refusal(`${option} must be the address of a service, such as http://127.0.0.1:3000 (got ${given})`);
  }
  return text.replace(/\/+$/, '');
}

function rangeOf(text: string) {
  const [, first, last] = RANGE.exec(text) ?? [];
  if (first === undefined || Number(first) > Number(last)) {
    throw refusal(`--rounds must be a range of ids such as 1..200, the lower one first (got ${JSON.stringify(text)})`);
  }
  return { first: Number(first), last: Number(last) };
}

function refusal(what: string, cause?: unknown): CannotVerify {
  return new CannotVerify(`${what}.\nUsage: ${USAGE}`, { cause });
}
