import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Request, Response } from 'express';

import { EXPORT_LIMITS } from '../limits.ts';
import { conditionsOf } from './filters.ts';
import { EXPORT_FORMATS, type ExportFormat } from './formats.ts';
import { EXPORT_LISTS, type ExportList } from './lists.ts';
import type { ReadRows } from './row-stream.ts';
import { begun } from './begun.ts';

export interface ExportRoute {
  readonly path: string;
  readonly limit: 'exports';
  /** Throws before the first byte for a request that it does not take. */
  readonly answer: (request: Request, response: Response) => Promise<void>;
}

export interface ExportNeeds {
  readonly read: ReadRows;
  readonly report: (error: unknown) => void;
}

/** `GET /api/export/<list>.<format>`, a route for each list in each format. */
export function exportRoutes(needs: ExportNeeds): ExportRoute[] {
  return EXPORT_LISTS.flatMap((list) =>
    EXPORT_FORMATS.map((format) => ({
      path: `/api/export/${list.name}.${format.name}`,
      limit: 'exports' as const,
      answer: (request: Request, response: Response) => send(list, format, needs, { request, response }),
    })),
  );
}

async function send(
  list: ExportList,
  format: ExportFormat,
  { read, report }: ExportNeeds,
  { request, response }: { request: Request; response: Response },
): Promise<void> {
  const condition = conditionsOf(list.filters, new URL(request.originalUrl, 'http://service').searchParams);
  const pieces = await begun(textOf(list, format, read(list.statement(condition))));
  response.set({
    'Content-Type': format.contentType,
    'Content-Disposition': `attachment; filename="${list.name}.${format.name}"`,
    'Cache-Control': 'no-store',
  });
  // Who reads nothing for this long is cut off: the cursor would keep its view of the tables for ever.
  response.setTimeout(EXPORT_LIMITS.idleMs, () => response.destroy());
  try {
    if (!response.destroyed) await pipeline(Readable.from(pieces), response);
  } catch (error) {
    if (!isGone(error)) report(error);
    response.destroy();
  } finally {
    // Also for who hung up before the first byte: nothing else would close the cursor.
    await pieces.return?.();
  }
}

/** The heading, then a piece of text for each bunch of rows. */
async function* textOf(
  { columns }: ExportList,
  { head, line }: ExportFormat,
  bunches: AsyncGenerator<readonly Readonly<Record<string, unknown>>[]>,
): AsyncGenerator<string> {
  let text = head(columns);
  for await (const rows of bunches) {
    yield text + rows.map((row) => line(columns, row)).join('');
    text = '';
  }
  if (text !== '') yield text;
}

/** The client hung up, which is its right. */
function isGone(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
