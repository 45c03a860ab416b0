import type { Read } from '../database/reads.ts';
import { readLeaves } from '../transparency/prediction-leaves.ts';
import { readRecords } from '../transparency/stored-log.ts';
import { EXPORT_LIMITS } from './export-limits.ts';

export interface LoggedRound {
  /** Null: the leaves of no round. */
  readonly id: number | null;
  readonly isOver: boolean;
}

/** Lines of index, leaf as a JSON string and salt of a round that is over, with tabs between, in the order of the log. */
export async function* linesOf(read: Read, round: LoggedRound): AsyncGenerator<string> {
  const limit = EXPORT_LIMITS.rowsAtOnce;
  for (let after = -1, isLast = false; !isLast;) {
    const from = after;
    const found = await read((em) => readRecords(em, { roundId: round.id, after: from, limit }));
    for (const { index, entries, leaf, salt } of found) {
      if (entries !== null && round.id !== null) yield* predictionLines(read, round.id, index - entries);
      yield lineOf(index, leaf) + (salt === null || !round.isOver ? '' : `\t${salt}`) + '\n';
      after = index;
    }
    isLast = found.length < limit;
  }
}

async function* predictionLines(read: Read, roundId: number, first: number): AsyncGenerator<string> {
  const limit = EXPORT_LIMITS.rowsAtOnce;
  for (let index = first, after = 0, isLast = false; !isLast;) {
    const page = { roundId, after, limit };
    const leaves = await read((em) => readLeaves(em, page));
    const start = index;
    if (leaves.length > 0) yield leaves.map(({ leaf }, at) => `${lineOf(start + at, leaf)}\n`).join('');
    index += leaves.length;
    after = leaves.at(-1)?.id ?? after;
    isLast = leaves.length < limit;
  }
}

function lineOf(index: number, leaf: string): string {
  return `${index}\t${JSON.stringify(leaf)}`;
}
