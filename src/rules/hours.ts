export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR) * HOUR);
}

export function addHours(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR);
}

export function hourNumber(hourStart: Date): number {
  return Math.floor(hourStart.getTime() / HOUR);
}

/** Reads ISO 8601 with a four-digit year, else null. `Date` alone accepts 2026-02-30 as the day after February. */
export function instantOf(text: string): Date | null {
  const [day, instant] = [new Date(`${text.slice(0, 10)}T00:00Z`), new Date(text)];
  if (Number.isNaN(instant.getTime()) || Number.isNaN(day.getTime())) return null;
  return day.toISOString().startsWith(text.slice(0, 10)) ? instant : null;
}

/** Milliseconds; null without a usable `Retry-After`. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of REST's `start_time` and `end_time` (spec 2.2). */
export function spacedSeconds(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DDTHH:MM:SS` in UTC, the form of REST's `submitted_at` (spec 2.3). */
export function joinedSeconds(time: Date): string {
  return time.toISOString().slice(0, 19);
}

const FORMATS = { ISO: (time: Date) => time.toISOString(), SPACED: spacedSeconds, JOINED: joinedSeconds };

export type TimeFormat = keyof typeof FORMATS;

export function timeText(time: Date, format?: TimeFormat | null): string {
  return FORMATS[format ?? 'ISO'](time);
}
