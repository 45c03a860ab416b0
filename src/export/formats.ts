import { type Column, exportValue, type ExportValue, type Row } from './columns.ts';

export interface ExportFormat {
  /** The path's ending. */
  readonly name: 'ndjson' | 'csv';
  readonly contentType: string;
  /** The parameters beside the list's filters. */
  readonly parameters: readonly string[];
  readonly head: (columns: readonly Column[]) => string;
  readonly line: (columns: readonly Column[], row: Row) => string;
}

export const EXPORT_FORMATS: readonly ExportFormat[] = [
  {
    name: 'ndjson',
    contentType: 'application/x-ndjson; charset=utf-8',
    parameters: ['after'],
    head: () => '',
    line: (columns, row) =>
      `${JSON.stringify(Object.fromEntries(columns.map((column) => [column.name, exportValue(column, row[column.name])])))}\n`,
  },
  {
    name: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    parameters: ['after', 'bom'],
    head: (columns) => csvLine(columns.map(({ name }) => name)),
    line: (columns, row) => csvLine(columns.map((column) => csvCell(exportValue(column, row[column.name])))),
  },
];

/** Spreadsheets run texts that start like this as formulas. Numbers, also in lists, stay as they are. */
const FORMULA = /^[=+@\t\r-]/;

/** A line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** A cell: numbers bare, texts in quotes, null empty, items of a list separated by spaces. */
export function csvCell(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join(' ');
  const isFormula = FORMULA.test(text) && (typeof value === 'string' || typeof value[0] === 'string');
  return `"${(isFormula ? `'${text}` : text).replaceAll('"', '""')}"`;
}
