import { queryOf } from './address.ts';
import type { Connection } from './connection.ts';
import { patienceFor } from './patience.ts';
import type { Exports } from './reference.ts';
import { readPiece, streamedLines } from './stream.ts';

export interface ExportOptions<Name extends keyof Exports = keyof Exports> {
  readonly name: Name;
  readonly filters?: Exports[Name]['filters'] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rows come in pages, and a page may take the service some time. */
const SILENCE_MS = 60_000;

/** Rows as objects. */
export async function* exportRows<Name extends keyof Exports>(
  connection: Connection,
  options: ExportOptions<Name>,
): AsyncGenerator<Exports[Name]['row'], void, undefined> {
  for await (const line of exportLines(connection, { ...options, format: 'ndjson' })) yield JSON.parse(line);
}

/** Rows as text. The service cuts long exports behind a whole row: the next request resumes there, as long as rows keep coming. */
export async function* exportLines(
  connection: Connection,
  { name, filters, format, signal }: ExportOptions & { readonly format: 'ndjson' | 'csv' },
): AsyncGenerator<string, void, undefined> {
  const path = `/api/export/${name}.${format}`;
  const patience = patienceFor({ ...connection, signal });
  let after: string | null = null;
  for (;;) {
    const query = queryOf({ ...filters, ...(after === null ? {} : { after }) });
    const request = { method: 'GET', path: path + query, endpoint: `GET ${path}`, signal };
    let isHead = format === 'csv';
    try {
      const lines = streamedLines(connection, request, SILENCE_MS);
      for await (const line of format === 'csv' ? wholeRows(lines) : lines) {
        const isRepeatedHead: boolean = isHead && after !== null;
        if (!isHead) after = readPiece(connection, () => idOf(line, format));
        patience.progress();
        isHead = false;
        if (!isRepeatedHead) yield line;
      }
      return;
    } catch (error) {
      await patience.wait(error);
    }
  }
}

/** A cell may contain line breaks; a row is complete when its quotes are even. */
async function* wholeRows(lines: AsyncIterable<string>): AsyncGenerator<string, void, undefined> {
  let begun: string[] = [];
  for await (const line of lines) {
    begun.push(line);
    const row = begun.join('\n');
    if (row.split('"').length % 2 === 0) continue;
    yield row;
    begun = [];
  }
}

/** The id is the first column of every export. Throws for another line. */
function idOf(line: string, format: 'ndjson' | 'csv'): string {
  if (format === 'csv') return line.split(',', 1)[0] ?? '';
  const { id } = JSON.parse(line);
  if (Number.isInteger(id)) return String(id);
  throw new TypeError('A row must have an id');
}
