import { z } from 'zod';

import { wordsDigest } from '../../transparency/leaves.ts';
import { consistencyProof, rootOf, subtreesOf } from '../../transparency/merkle.ts';
import { type FrozenBoard, readFrozenBoards } from '../boards/frozen-boards.ts';
import { onlyArchivesHave } from '../published/archived-months.ts';
import { type DecidedRound, lastDecidedAt } from '../published/decided-round.ts';
import { type Findings, newFindings } from '../findings.ts';
import { type History, NOTHING_READ, type ReadRound, readHistory } from '../published/history.ts';
import { contradiction, type ProofBetween, readHead } from './log-head.ts';
import { boardDigest } from './logged-digests.ts';
import {
  type Entry,
  type LoggedLeaves,
  loggedLeaves,
  type LoggedRecord,
  readEntries,
  readLeafHashes,
} from './logged-leaves.ts';
import { checkDecisions, checkLoggedRound, matchedRecords, type WordDigests } from './logged-rounds.ts';
import { type ClientNeeds, serviceClient, type ServiceClient } from '../published/service-client.ts';
import { readSeen, writeSeen } from './seen-log.ts';
import { CannotVerify } from '../settings.ts';

const MAX_READINGS = 10;

/**
 * Compares a service's log with what the service publishes, and with the checkpoint in the file, which it replaces if the log
 * continues it. Throws `CannotVerify` if the log cannot be read, or its checkpoint is not signed.
 */
export async function checkLog(url: string, file: string, needs: ClientNeeds): Promise<Findings> {
  const client = serviceClient(url, needs);
  const findings = newFindings();
  const seen = await readSeen(file);
  const read = await readAll(client, needs.print);
  const { head, history, boards } = read;
  const { size, root, epoch } = head.checkpoint;
  const hashes = await readLeafHashes(client, size);
  needs.print(`Read from ${url}: ${size} leaves, ${history.rounds.length} decided rounds, ${boards.length} boards.`);
  const alarm = rootOf(hashes).equals(root)
    ? null
    : `The ${size} leaves of the log have another root than its checkpoint.`;
  const proofBetween: ProofBetween = (former, present) => consistencyProof(subtreesOf(hashes), former, present);
  const fork = seen === null || alarm !== null ? alarm : await contradiction(seen, head, proofBetween);
  if (fork !== null) findings.alarm(fork);
  else {
    await writeSeen(file, head);
    if (epoch > (seen?.checkpoint.epoch ?? epoch))
      findings.note(`A restored backup began epoch ${epoch}; no leaf was lost.`);
  }
  await checkLeaves(client, loggedLeaves(hashes), read, findings);
  return findings;
}

type ReadLog = Awaited<ReturnType<typeof readAll>>;

/** A checkpoint with the decisions and boards that were published when it was the newest. */
async function readAll(client: ServiceClient, print: (line: string) => void) {
  let history = await readHistory(client, null, NOTHING_READ);
  for (let reading = 1; reading <= MAX_READINGS; reading += 1) {
    const boards = await readFrozenBoards(client);
    const head = await readHead(client);
    const after = { history: await readHistory(client, null, history), boards: await readFrozenBoards(client) };
    if (stateOf(history, boards) === stateOf(after.history, after.boards)) return { head, history, boards };
    print('A round was decided or a board frozen while the log was read: reading both again.');
    ({ history } = after);
  }
  throw new CannotVerify(`Rounds or boards changed during each of ${MAX_READINGS} readings.`);
}

function stateOf({ rounds }: History, boards: readonly FrozenBoard[]): string {
  const decided = rounds.map((round) => [round.id, lastDecidedAt(round).getTime()].join(' '));
  return JSON.stringify([decided, boards.map(({ period }) => period)]);
}

async function checkLeaves(
  client: ServiceClient,
  leaves: LoggedLeaves,
  read: ReadLog,
  findings: Findings,
): Promise<void> {
  const { history } = read;
  const archiveOnly = new Set(history.archiveOnly);
  const archived = new Set(history.rounds.filter((one) => one.archived === 1).map(({ id }) => id));
  const words = await readWords(client);
  const unclosed: { found: ReadRound; entries: readonly Entry[]; records: readonly LoggedRecord[] }[] = [];
  const began = { index: Infinity, at: Infinity };
  for (const { id } of [...history.rounds, ...history.open].toSorted((one, other) => one.id - other.id)) {
    if (archiveOnly.has(id)) continue;
    const found = history.read.get(id);
    const entries = await readEntries(client, id, archived.has(id));
    const records = matchedRecords(`round ${id}`, entries, { leaves, findings });
    const closed = records.find(({ kind }) => kind === 'closed');
    if (found === undefined) for (const { index, leaf } of entries) leaves.match(index, leaf);
    else if (closed === undefined) unclosed.push({ found, entries, records });
    else {
      await checkLoggedRound(found, { records, entries, leaves, words, findings });
      began.index = Math.min(began.index, closed.index - Number(closed.values['entries']));
      began.at = Math.min(began.at, closedBy(found.round));
    }
  }
  const unlogged = checkOthers(await readEntries(client, null), leaves, read, findings);
  const loggedBoards = read.boards.filter((board) => !unlogged.includes(board));
  began.at = Math.min(began.at, ...loggedBoards.map(({ frozenAt }) => frozenAt.getTime()));
  // Leaves of nothing that can be read came before: the log began with earlier rounds.
  const hasEarlier = leaves.unmatched(0, Math.min(began.index, leaves.size)).length > 0;
  let older = 0;
  for (const { found, entries, records } of unclosed) {
    if (!hasEarlier && closedBy(found.round) < began.at) {
      older += 1;
      checkDecisions(found, records, findings);
    } else if (records.length === 0) findings.alarm(`round ${found.round.id}: the log does not have it.`);
    else await checkLoggedRound(found, { records, entries, leaves, words, findings });
  }
  for (const { period, frozenAt } of unlogged) {
    if (frozenAt.getTime() < began.at) older += 1;
    else findings.alarm(`board of ${period}: the log does not have it.`);
  }
  if (older > 0) findings.note(`${older} rounds and boards are older than the log.`);
  if (archiveOnly.size > 0) {
    findings.note(`${onlyArchivesHave('leaves', [...archiveOnly])} Leaves of nothing published were not looked for.`);
    return;
  }
  const unmatched = leaves.unmatched();
  const some = unmatched.slice(0, 5).join(', ');
  if (some !== '')
    findings.alarm(`${unmatched.length} leaves of the log are of nothing that is published, such as ${some}.`);
}

/** A time by which a round was closed. */
function closedBy({ end_time: ended, decided_at: decided }: DecidedRound): number {
  return Math.min(ended.getTime(), decided.getTime());
}

/** Compares epochs and frozen boards; returns the boards that the log does not have. */
function checkOthers(
  entries: readonly Entry[],
  leaves: LoggedLeaves,
  { head, boards }: ReadLog,
  findings: Findings,
): readonly FrozenBoard[] {
  const records = matchedRecords('epochs and boards', entries, { leaves, findings });
  const epochs = records.filter(({ kind }) => kind === 'epoch').map(({ values }) => Number(values['epoch']));
  findings.logged('log', { epoch: head.checkpoint.epoch }, { epoch: epochs.at(-1) });
  const byPeriod = new Map(boards.map((board) => [board.period, board]));
  for (const { kind, values } of records) {
    if (kind !== 'frozen') continue;
    const board = byPeriod.get(values['period'] ?? '');
    const published = board && { frozen_at: String(board.frozenAt.getTime()), board: boardDigest(board) };
    findings.logged(`board of ${values['period']}`, { ...values, frozen_at: null, board: null, ...published }, values);
    if (board !== undefined) byPeriod.delete(board.period);
  }
  return [...byPeriod.values()];
}

const WORDS = z.object({ id: z.int(), rationale: z.string().nullable(), model: z.string().nullable() });

async function readWords(client: ServiceClient): Promise<WordDigests> {
  const found = new Map<number, string | null>();
  for await (const one of client.lines('/api/export/rationales.ndjson', WORDS)) found.set(one.id, wordsDigest(one));
  for await (const one of client.months.lines('rationales', WORDS)) found.set(one.id, wordsDigest(one));
  return found;
}
