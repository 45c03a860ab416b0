import { joinedSeconds, spacedSeconds } from '../rules/hours.ts';
import type { ColumnKind } from './column.ts';

/** A value of an export, the same in every format. */
export type ExportValue = number | string | readonly string[] | null;

/** What the database gave for a column, as exports show it. Throws for what the column's kind does not hold. */
export function exportValue(kind: ColumnKind, given: unknown): ExportValue {
  if (given === null) return null;
  switch (kind) {
    case 'integer':
    case 'number':
      return Number(given);
    case 'text':
      return textOf(given);
    case 'flag':
      return given === true ? 1 : 0;
    case 'list':
      return textsOf(given);
    case 'day':
      return spacedSeconds(instantOf(given));
    case 'second':
      return joinedSeconds(instantOf(given));
    case 'instant':
      return instantOf(given).toISOString();
  }
}

function instantOf(given: unknown): Date {
  if (given instanceof Date) return given;
  throw new TypeError('A column of times holds something else');
}

function textOf(given: unknown): string {
  if (typeof given === 'string') return given;
  throw new TypeError('A column of texts holds something else');
}

function textsOf(given: unknown): readonly string[] {
  if (Array.isArray(given)) return given.map(textOf);
  throw new TypeError('A column of lists holds something else');
}
