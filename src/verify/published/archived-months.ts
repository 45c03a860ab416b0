import type { z } from 'zod';

import { type ArchiveFile, type MonthArchive, readMonthArchive } from '../../month-archive/month-archive.ts';
import { CannotVerify } from '../settings.ts';

export type ArchivedMonths = ReturnType<typeof archivedIn>;

export const NO_MONTHS = archivedIn([]);

/** Throws a `StartError` for a folder without a whole archive, and `CannotVerify` for rounds that two folders have. */
export async function openMonths(folders: readonly string[]): Promise<ArchivedMonths> {
  const months: MonthArchive[] = [];
  for (const folder of folders) {
    const month = await readMonthArchive(folder);
    const { month: name, first_round: first, last_round: last } = month.manifest;
    if (months.some(({ manifest: other }) => other.first_round <= last && first <= other.last_round))
      throw new CannotVerify(`--archive must name each round once: ${folder} has rounds of ${name} that another has.`);
    months.push(month);
  }
  return archivedIn(months);
}

/** Predictions, rationales and leaves of rounds that a service dropped, read from archives of their months. */
function archivedIn(months: readonly MonthArchive[]) {
  const monthOf = (round: number) =>
    months.find(({ manifest: { first_round: first, last_round: last } }) => first <= round && round <= last);
  const logs = new Map<MonthArchive, Promise<ReadonlyMap<number, string>>>();
  return {
    has: (round: number): boolean => monthOf(round) !== undefined,
    /** Throws `CannotVerify` for a line of another shape. */
    async *lines<T>(file: Exclude<ArchiveFile, 'log'>, shape: z.ZodType<T>): AsyncGenerator<T> {
      for (const { manifest, lines } of months)
        for await (const line of lines(file)) {
          const { data } = shape.safeParse(JSON.parse(line));
          if (data === undefined)
            throw new CannotVerify(`The archive of ${manifest.month} has a line of another form.`);
          yield data;
        }
    },
    /** The lines of `/log/entries/{round}`. */
    async entries(round: number): Promise<string> {
      const month = monthOf(round);
      if (month === undefined) return '';
      const log = logs.get(month) ?? entriesIn(month);
      logs.set(month, log);
      return (await log).get(round) ?? '';
    },
  };
}

async function entriesIn({ lines }: MonthArchive): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>();
  for await (const line of lines('log')) {
    const end = line.indexOf('\t');
    const round = Number(line.slice(0, end));
    found.set(round, `${found.get(round) ?? ''}${line.slice(end + 1)}\n`);
  }
  return found;
}

/** The sentence about rounds that need an archive. */
export function onlyArchivesHave(what: 'predictions' | 'leaves', rounds: readonly number[]): string {
  return `Only archives have the ${what} of the rounds ${rangesOf(rounds)}: name their folders by --archive.`;
}

/** Ids as ranges, such as `1..720, 1465..2208`. */
function rangesOf(ids: readonly number[]): string {
  const ranges: { first: number; last: number }[] = [];
  for (const id of ids.toSorted((one, other) => one - other)) {
    const range = ranges.at(-1);
    if (range?.last === id - 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  return ranges.map(({ first, last }) => (first === last ? String(first) : `${first}..${last}`)).join(', ');
}
