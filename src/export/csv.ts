import type { ExportValue } from './values.ts';

/** Spreadsheets run cells that begin so; a minus before what a name may hold is left, since it can start no formula. */
const FORMULA = /^[=+@\t\r]|^-(?![\w-]*$)/;

/** One line of a CSV file (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`;
}

/** One cell: numbers bare, texts in quotes, nothing for null. Items of a list stand in one cell, with spaces between. */
export function csvCell(value: ExportValue): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value : value.join(' ');
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}
