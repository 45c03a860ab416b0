import type { Column, Row } from './column.ts';
import { csvCell, csvLine } from './csv.ts';
import { exportValue } from './values.ts';

/** How an export is written. */
export interface ExportFormat {
  /** The ending of its path. */
  readonly name: 'ndjson' | 'csv';
  readonly contentType: string;
  readonly head: (columns: readonly Column[]) => string;
  readonly line: (columns: readonly Column[], row: Row) => string;
}

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  {
    name: 'ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    head: () => '',
    line: (columns, row) =>
      `${JSON.stringify(Object.fromEntries(columns.map(({ name, kind }) => [name, exportValue(kind, row[name])])))}\n`,
  },
  {
    name: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    head: (columns) => csvLine(columns.map(({ name }) => name)),
    line: (columns, row) => csvLine(columns.map(({ name, kind }) => csvCell(exportValue(kind, row[name])))),
  },
];
