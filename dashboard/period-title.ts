import type { ArchiveKind } from '../src/rules/windows.ts';

/** As its frozen board names it. */
interface NamedPeriod {
  /** `2026-11-20`, `2026-W47` or `2026-11`. */
  readonly period: string;
  readonly kind: ArchiveKind;
  readonly startTime: string;
  /** The first instant after it. */
  readonly endTime: string;
}

const inWords = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en', { ...options, timeZone: 'UTC' });
const WHOLE_DAY = inWords({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const SHORT_DAY = inWords({ day: 'numeric', month: 'long' });
const MONTH = inWords({ month: 'long', year: 'numeric' });

/** `Thursday, January 1, 2026`, `Week 1 of 2026, December 29 to January 4`, `January 2026`. */
export function periodTitle({ period, kind, startTime, endTime }: NamedPeriod): string {
  const start = new Date(startTime);
  switch (kind) {
    case 'day':
      return WHOLE_DAY.format(start);
    case 'month':
      return MONTH.format(start);
    case 'week': {
      const last = new Date(Date.parse(endTime) - 1);
      const [year, week] = period.split('-W').map(Number);
      return `Week ${week} of ${year}, ${SHORT_DAY.format(start)} to ${SHORT_DAY.format(last)}`;
    }
  }
}

export function frozenTitle(board: NamedPeriod): string {
  return `Leaderboard of ${periodTitle(board)}`;
}

/** `month` is such as `2026-11`. */
export function monthTitle(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00Z`));
}
