import type { ParseArgsConfig } from 'node:util';

import type { Client, ClientOptions } from '../client.ts';
import { UsageError } from './exit-codes.ts';
import type { Output } from './output.ts';

/** One thing that the command line does. */
export interface Command {
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  /** What it does, in a line. */
  readonly about: string;
  readonly options: Readonly<Record<string, Option>>;
  /** How many words it takes beside its options. */
  readonly words: readonly [min: number, max: number];
  /** Whether it does nothing without a key. */
  readonly needsKey: boolean;
  /** Returns the exit code. */
  readonly run: (context: Context) => Promise<number>;
}

export type Option = NonNullable<ParseArgsConfig['options']>[string] & {
  /** As it stands in the help, such as `MINUTE`; none for a switch. */
  readonly value?: string;
  readonly about: string;
};

/** What a command works with. */
export interface Context {
  /** A client of the service that is meant; `options` replace what the command line says. */
  readonly connect: (options?: ClientOptions) => Client;
  readonly clientOptions: ClientOptions;
  readonly hasKey: boolean;
  readonly words: readonly string[];
  readonly given: Given;
  readonly output: Output;
  /** Aborted by Ctrl-C and SIGTERM. */
  readonly signal: AbortSignal;
  /** Of this package. */
  readonly version: string;
}

/** The options of a call. */
export interface Given {
  has(name: string): boolean;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  /** Throws `UsageError` for what is no whole number of the range. */
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

/** The number that a text is. Throws `UsageError` for any other text. */
export function wholeNumber(name: string, text: string, { min, max }: Range): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= min && number <= max) return number;
  const range = max === Infinity ? `from ${min}` : `from ${min} to ${max}`;
  throw new UsageError(`${name} must be a whole number ${range} (got ${text}).`);
}
