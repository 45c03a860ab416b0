import { difference, listDifferences } from './differences.ts';
import { HOUR, milliseconds } from './hours.ts';
import { at, listOf, textOf, type Body } from './json.ts';
import { rankingsOf } from './oracle-boards.ts';
import { PERIODS, type Moment, type Period, type Recording } from './recording.ts';
import type { Ledger } from './oracle-ledger.ts';

/** The final boards, and those read on the way. */
export function boardDifferences(recording: Recording, ledger: Ledger): string[] {
  const names = new Map(recording.agents.map(({ id, name }) => [id, name]));
  const all = ledger.resolved.length;
  const periods = recording.boards.map((board) => textOf(board, 'period'));
  const final = recording.boards.flatMap((board) => {
    const period = periodOf(board);
    return [
      ...listDifferences(`final ${period} board`, rankingsOf(ledger, names, all, period), listOf(board, 'rankings')),
      ...updateFaults(`final ${period} board`, board, ledger, all),
      ...difference(
        `final ${period} board: updated_at`,
        recording.boards[0]?.['updated_at'] ?? null,
        board['updated_at'],
      ),
    ];
  });
  return [
    ...difference('the final boards', [...PERIODS], periods),
    ...final,
    ...momentDifferences(recording, ledger, names),
  ];
}

export function periodOf(board: Body): Period {
  const name = textOf(board, 'period');
  const period = PERIODS.find((known) => known === name);
  if (period === undefined) throw new Error(`${name} is no period`);
  return period;
}

interface Read {
  readonly where: string;
  readonly board: Body;
  /** The numbers of resolved rounds after which the board would look just so. */
  readonly counts: readonly number[];
}

/**
 * Each board shows the state after some number of resolved rounds: no fewer than the reading before the last could see, no
 * more than were resolved after it was read. Boards of one `updated_at` show one state, later ones never an earlier state.
 */
function momentDifferences({ moments }: Recording, ledger: Ledger, names: ReadonlyMap<number, string>): string[] {
  const reads: Read[] = [];
  const faults: string[] = [];
  for (const [index, moment] of moments.entries()) {
    const least = countUpTo(ledger, index === 0 ? 0 : at(moments, index - 1).newestAfter);
    const most = countUpTo(ledger, moment.newestAfter);
    for (const board of moment.boards) {
      const period = periodOf(board);
      const where = `${period} board of moment ${index}, updated at ${textOf(board, 'updated_at')}`;
      const unlike = (count: number): string[] =>
        [
          listDifferences(where, rankingsOf(ledger, names, count, period), listOf(board, 'rankings')),
          updateFaults(where, board, ledger, count),
        ].flat();
      const tried = Array.from({ length: most - least + 1 }, (_, step) => ({
        count: least + step,
        faults: unlike(least + step),
      }));
      const counts = tried.filter((attempt) => attempt.faults.length === 0).map(({ count }) => count);
      if (counts.length > 0) reads.push({ where, board, counts });
      else faults.push(...closest(tried, where, moment));
    }
  }
  return [...faults, ...sequenceFaults(reads)];
}

function closest(tried: readonly { count: number; faults: string[] }[], where: string, moment: Moment): string[] {
  const best = tried.toSorted((one, other) => one.faults.length - other.faults.length)[0];
  const range = `between rounds ${moment.newestBefore} and ${moment.newestAfter}`;
  if (best === undefined) return [`${where} cannot be: nothing is resolved ${range}`];
  return [`${where} shows no state ${range}; the nearest is that after ${best.count} resolved rounds`, ...best.faults];
}

function sequenceFaults(reads: readonly Read[]): string[] {
  const faults: string[] = [];
  let reached = 0;
  for (const group of Map.groupBy(reads, stampOf).values()) {
    const common = group
      .map((read) => read.counts)
      .reduce((one, other) => one.filter((count) => other.includes(count)));
    const next = common.find((count) => count >= reached);
    const told = group.map(({ where, counts }) => `${where} after ${counts.join('/')}`).join(', ');
    if (next === undefined)
      faults.push(`boards go back behind ${reached} resolved rounds or differ among themselves: ${told}`);
    reached = next ?? reached;
  }
  for (const [index, read] of reads.entries()) {
    const before = reads[index - 1];
    if (before !== undefined && stampOf(before) > stampOf(read))
      faults.push(`${read.where} was read after ${before.where}`);
  }
  return faults;
}

function stampOf({ board }: Read): string {
  return textOf(board, 'updated_at');
}

function updateFaults(where: string, board: Body, ledger: Ledger, count: number): string[] {
  const updatedAt = textOf(board, 'updated_at');
  const newest = ledger.resolved[count - 1];
  const possible = newest === undefined || milliseconds(updatedAt) >= (newest.facts.hour + 1) * HOUR;
  return possible && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(updatedAt)
    ? []
    : [`${where}: updated_at ${updatedAt} is no time after the end of its newest round ${newest?.facts.id}`];
}

/** How many rounds are resolved once this one is. */
function countUpTo(ledger: Ledger, roundId: number): number {
  return ledger.resolved.filter((round) => round.facts.id <= roundId).length;
}
