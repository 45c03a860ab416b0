import type { SqlEntityManager } from '@mikro-orm/postgresql';
import type { Request, Response } from 'express';

import type { Read } from '../database/reads.ts';
import { withDeadline } from '../deadline.ts';
import { semaphore } from '../in-flight.ts';
import { FOR_EVER, REVALIDATED } from '../http/cache-headers.ts';
import { EXPORT_STATEMENT_MS, MAX_ID } from '../limits.ts';
import { unarchivedRound } from '../reads/rounds.ts';
import type { StreamRoute } from '../rest/endpoint.ts';
import { DomainError, refused } from '../rules/errors.ts';
import { isOver } from '../rules/round-states.ts';
import { HASH_BYTES } from '../transparency/merkle.ts';
import { cosignedCheckpoint, logState, storedTiles } from '../transparency/stored-log.ts';
import { tileAt, widthOf } from '../transparency/tiles.ts';
import { EXPORT_LIMITS, exportSlots } from './export-limits.ts';
import { linesOf, type LoggedRound } from './log-lines.ts';
import { sendText } from './send-text.ts';

interface LogOptions {
  readonly read: Read;
  readonly report: (error: unknown) => void;
}

const TEXT = { 'Content-Type': 'text/plain; charset=utf-8' };
const TILES = '/log/tile/';

/** The addresses of C2SP tlog-tiles below `/log`, and the texts of the leaves. */
export function logRoutes({ read: readBy, report }: LogOptions): StreamRoute[] {
  const inSlot = exportSlots(EXPORT_LIMITS.leavesPerAddress);
  const inTurn = semaphore(1);
  const read: Read = (work) => inTurn(() => withDeadline(EXPORT_STATEMENT_MS, () => readBy(work)));
  const entries: StreamRoute['answer'] = (request, response) =>
    inSlot(request, async () => {
      const lines = linesOf(read, await roundOf(read, request.params['round']?.toString()));
      await sendText(lines, response, { headers: { ...TEXT, ...REVALIDATED }, report });
    });
  return [
    route('/log/checkpoint', (_request, response) => sendCheckpoint(read, response)),
    route(`${TILES}*tile`, (request, response) => sendTile(read, request, response)),
    route('/log/entries', entries),
    route('/log/entries/:round', entries),
  ];
}

function route(path: string, answer: StreamRoute['answer']): StreamRoute {
  return { path, limit: 'log', answer };
}

async function sendCheckpoint(read: Read, response: Response): Promise<void> {
  const text = await read(cosignedCheckpoint);
  if (text === null)
    throw new DomainError('not_found', 'The log has no checkpoint yet: it begins when the next round closes.');
  response.set({ ...TEXT, ...REVALIDATED }).send(text);
}

async function sendTile(read: Read, { path }: Request, response: Response): Promise<void> {
  const found = tileAt(path.slice(TILES.length));
  const bytes = found && (await read((em) => tileBytes(em, found)));
  if (bytes === null) throw new DomainError('unknown_tile', `The log has no tile at ${path}.`);
  response.set({ 'Content-Type': 'application/octet-stream', ...FOR_EVER }).send(bytes);
}

async function tileBytes(em: SqlEntityManager, { place, width }: NonNullable<ReturnType<typeof tileAt>>) {
  const { size } = await logState(em);
  if (widthOf(place, size) < width) return null;
  return (await storedTiles(em)(place, width)).subarray(0, width * HASH_BYTES);
}

async function roundOf(read: Read, text: string | undefined): Promise<LoggedRound> {
  if (text === undefined) return { id: null, isOver: true };
  const id = Number(text);
  if (!/^\d+$/.test(text) || id < 1 || id > MAX_ID) throw refused('round', 'a whole number from 1', text);
  const { status } = await read((em) => unarchivedRound(em, id));
  return { id, isOver: isOver(status) };
}
