import { isDeepStrictEqual } from 'node:util';
import type { Body, Json } from './json.ts';

/** One line for each expected field that is answered otherwise, with both values. Further fields are not looked at. */
export function differences(where: string, expected: Body, answered: Body): string[] {
  return Object.entries(expected).flatMap(([key, value]) => difference(`${where}: ${key}`, value, answered[key]));
}

export function difference(what: string, expected: Json, answered: Json | undefined): string[] {
  return isDeepStrictEqual(expected, answered)
    ? []
    : [`${what} is expected to be ${JSON.stringify(expected)}, answered ${JSON.stringify(answered)}`];
}

/** Compares two lists item by item. Where the lengths differ that is said too. */
export function listDifferences(where: string, expected: readonly Body[], answered: readonly Body[]): string[] {
  return [
    ...difference(`${where}: length`, expected.length, answered.length),
    ...expected.flatMap((item, index) => {
      const counterpart = answered[index];
      return counterpart === undefined ? [] : differences(`${where}[${index}]`, item, counterpart);
    }),
  ];
}

/** The first lines of a long list, so that a fault that shows everywhere can be read. */
export function shortened(lines: readonly string[], most = 40): string[] {
  return lines.length <= most ? [...lines] : [...lines.slice(0, most), `and ${lines.length - most} more`];
}
