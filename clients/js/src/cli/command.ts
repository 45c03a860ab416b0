import type { ParseArgsConfig } from 'node:util';

import type { Client, ClientOptions } from '../client.ts';
import { UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';

export interface Command {
  readonly name: string;
  /** The arguments after the name, if any. */
  readonly usage?: string;
  /** One line. */
  readonly about: string;
  readonly options?: Readonly<Record<string, Option>>;
  /** The number of words beside options; default: none. */
  readonly words?: readonly [min: number, max: number];
  /** It requires a key. */
  readonly needsKey?: boolean;
  /** Returns the exit code, unless it is 0. */
  readonly run: (context: Context) => Promise<number | void>;
}

export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** The help's name of the value, such as `MINUTE`; none for a switch. */
  readonly value?: string;
  readonly about: string;
};

export interface Context {
  /** `options` override the command line. */
  readonly connect: (options?: ClientOptions) => Client;
  readonly clientOptions: ClientOptions;
  readonly hasKey: boolean;
  readonly words: readonly string[];
  readonly given: Given;
  readonly output: Output;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** The package's version. */
  readonly version: string;
}

/** The options of a call. */
export interface Given {
  has(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Throws `UsageError` for other texts and numbers out of range. */
  whole(name: string, range: Range): number | undefined;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export function givenOf(values: Values): Given {
  const textsOf = (name: string): string[] => [values[name] ?? []].flat().map(String);
  return {
    has: (name) => values[name] === true,
    text: (name) => textsOf(name)[0],
    texts: textsOf,
    whole(name, range) {
      const [text] = textsOf(name);
      return text === undefined ? undefined : wholeNumber(`--${name}`, text, range);
    },
  };
}

/** Throws `UsageError` for other texts and numbers out of range. */
export function wholeNumber(name: string, text: string, { min, max }: Range): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`${name} must be a whole number ${range} (got ${text}).`);
}
