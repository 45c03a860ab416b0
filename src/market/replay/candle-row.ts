import { isDecimal, isPrice } from '../decimals.ts';
import { FIGURES, isInRange } from '../figures.ts';
import { instantOf, MINUTE } from '../../rules/hours.ts';

export const COLUMNS = ['timestamp', ...FIGURES] as const;

const PRICE = 'a plain decimal above 0 such as 28477.73';

export const FAULTS = {
  timestamp: { shown: 'timestamp', accepted: 'a whole UTC minute such as 2023-04-01T22:00:00Z' },
  step: { shown: 'timestamp', accepted: "an opening time that is a multiple of the file's step" },
  order: { shown: 'timestamp', accepted: 'an opening time later than that of the row before' },
  open: { shown: 'open', accepted: PRICE },
  high: { shown: 'high', accepted: PRICE },
  low: { shown: 'low', accepted: PRICE },
  close: { shown: 'close', accepted: PRICE },
  volume: { shown: 'volume', accepted: 'a plain decimal of 0 or more such as 6.25434' },
  columns: { shown: 'row', accepted: `exactly ${COLUMNS.length} columns: ${COLUMNS.join(',')}` },
  range: { shown: 'row', accepted: 'a high not below, and a low not above, any other price of the row' },
} as const;

type Fault = keyof typeof FAULTS;

export function timeFault(minute: number, at: { readonly stepMinutes: number; readonly before: number }): Fault | null {
  if (Number.isNaN(minute)) return 'timestamp';
  if (minute % at.stepMinutes !== 0) return 'step';
  return minute > at.before ? null : 'order';
}

export function rowFault([, ...figures]: readonly string[]): Fault | null {
  const fault = FIGURES.find((name, index) => !isSound(name, figures[index]));
  if (fault !== undefined) return figures[FIGURES.indexOf(fault)] === undefined ? 'columns' : fault;
  if (figures.length > FIGURES.length) return 'columns';
  const [open = '', high = '', low = '', close = ''] = figures;
  return isInRange({ open, high, low, close }) ? null : 'range';
}

function isSound(name: (typeof FIGURES)[number], figure = ''): boolean {
  return name === 'volume' ? isDecimal(figure) && !figure.startsWith('-') : isPrice(figure);
}

const TIMESTAMP = /^\d{4}-\d\d-\d\dT(?!24)\d\d:\d\d:00Z$/;

/** Minutes since 1970 of `2023-04-01T22:00:00Z`; NaN for other texts and before 1970. */
export function minuteOf(text: string): number {
  const ms = (TIMESTAMP.test(text) ? instantOf(text)?.getTime() : undefined) ?? Number.NaN;
  return ms >= 0 ? ms / MINUTE : Number.NaN;
}

/** A sentence about a row whose columns are those of `COLUMNS`. */
export function complaint(fault: Fault, columns: readonly string[]): string {
  const { shown, accepted } = FAULTS[fault];
  const value = shown === 'row' ? columns.join(',') : columns[COLUMNS.indexOf(shown)];
  return `${shown} ${quoted(value ?? '')} is refused; accepted is ${accepted}.`;
}

export function quoted(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
