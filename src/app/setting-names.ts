import { SETTING_NAMES } from '../config.ts';

export interface Misspelt {
  readonly name: string;
  /** The setting that it is close to. */
  readonly meant: string;
}

/** In shorter names one letter makes another word: PORT, SORT. */
const SHORTEST_GUESSED = 6;
/** Names of so many letters are alike also where two differ. */
const LONG = 8;

/** Variables that are no settings but look like one: they would be overlooked without a word. */
export function misspelt(names: readonly string[]): readonly Misspelt[] {
  return names.flatMap((name) => {
    if (SETTING_NAMES.includes(name)) return [];
    const meant = SETTING_NAMES.find((setting) => isAlike(name.toUpperCase(), setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isAlike(name: string, setting: string): boolean {
  if (name === setting) return true;
  if (setting.length < SHORTEST_GUESSED) return false;
  return differences(name, setting) <= (setting.length < LONG ? 1 : 2);
}

/** How many letters have to be put in, left out or changed to make one word of the other. */
function differences(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (const [place, wanted] of other.split('').entries()) {
      const changed = (row[place] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(changed, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
