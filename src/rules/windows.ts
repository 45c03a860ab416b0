import { DAY } from './hours.ts';

export const PERIODS = ['daily', 'weekly', 'monthly', 'alltime'] as const;

export type Period = (typeof PERIODS)[number];

/** Milliseconds back from the newest resolved round's end; null: unlimited. */
export const WINDOW_LENGTHS: Readonly<Record<Period, number | null>> = {
  daily: DAY,
  weekly: 7 * DAY,
  monthly: 30 * DAY,
  alltime: null,
};

/** The exclusive start of a window; null if unlimited. */
export function windowStart(period: Period, newestEnd: Date): Date | null {
  const length = WINDOW_LENGTHS[period];
  return length === null ? null : new Date(newestEnd.getTime() - length);
}

/** A round exactly one window's length before the newest end does not count. */
export function inWindow(period: Period, newestEnd: Date, roundEnd: Date): boolean {
  const start = windowStart(period, newestEnd);
  return roundEnd <= newestEnd && (start === null || roundEnd > start);
}

/** Periods with frozen boards: UTC days, ISO weeks (from Monday) and months. */
export const ARCHIVE_KINDS = ['day', 'week', 'month'] as const;

export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

/** A UTC calendar period. A round belongs to it if its `end_time` lies after `start` and not after `end`. */
export interface ArchivePeriod {
  /** `2026-11-20`, `2026-W47` or `2026-11`. */
  readonly name: string;
  readonly kind: ArchiveKind;
  readonly start: Date;
  readonly end: Date;
}

/** Null for a text that names no period, such as `2026-02-30` or `2027-W53`. */
export function periodNamed(name: string): ArchivePeriod | null {
  const kind = FORMS.find(({ form }) => form.test(name))?.kind;
  if (kind === undefined) return null;
  const start = startNamed(name, kind);
  if (Number.isNaN(start.getTime())) return null;
  const period = periodOf(kind, start);
  return period.name === name ? period : null;
}

const FORMS: readonly { readonly form: RegExp; readonly kind: ArchiveKind }[] = [
  { form: /^\d{4}-\d{2}-\d{2}$/, kind: 'day' },
  { form: /^\d{4}-W\d{2}$/, kind: 'week' },
  { form: /^\d{4}-\d{2}$/, kind: 'month' },
];

export function periodOf(kind: ArchiveKind, time: Date): ArchivePeriod {
  const day = utcDay(time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate());
  switch (kind) {
    case 'day':
      return { kind, name: day.toISOString().slice(0, 10), start: day, end: daysAfter(day, 1) };
    case 'month': {
      const start = utcDay(day.getUTCFullYear(), day.getUTCMonth(), 1);
      const end = utcDay(day.getUTCFullYear(), day.getUTCMonth() + 1, 1);
      return { kind, name: day.toISOString().slice(0, 7), start, end };
    }
    case 'week': {
      const start = mondayOf(day);
      // A week belongs to the year of its Thursday (ISO 8601).
      const year = daysAfter(start, 3).getUTCFullYear();
      const number = 1 + Math.round((start.getTime() - firstMonday(year).getTime()) / (7 * DAY));
      return {
        kind,
        name: `${String(year).padStart(4, '0')}-W${String(number).padStart(2, '0')}`,
        start,
        end: daysAfter(start, 7),
      };
    }
  }
}

function startNamed(name: string, kind: ArchiveKind): Date {
  if (kind !== 'week') return new Date(name);
  return daysAfter(firstMonday(Number(name.slice(0, 4))), 7 * (Number(name.slice(6)) - 1));
}

/** The Monday of week 1, which contains 4 January (ISO 8601). */
function firstMonday(year: number): Date {
  return mondayOf(utcDay(year, 0, 4));
}

function mondayOf(day: Date): Date {
  return daysAfter(day, -((day.getUTCDay() + 6) % 7));
}

function daysAfter(day: Date, days: number): Date {
  return new Date(day.getTime() + days * DAY);
}

/** Unlike `Date.UTC`, reads years below 100 as such. */
function utcDay(year: number, month: number, date: number): Date {
  const day = new Date(0);
  day.setUTCFullYear(year, month, date);
  return day;
}
