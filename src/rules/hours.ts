export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The start of the UTC hour that contains `time`. */
export function hourOf(time: Date): Date {
  return new Date(Math.floor(time.getTime() / HOUR) * HOUR);
}

/** The instant `hours` whole hours after `time` (before it when negative). */
export function addHours(time: Date, hours: number): Date {
  return new Date(time.getTime() + hours * HOUR);
}

/** Hours since 1970-01-01T00:00Z: the number that rotates the questions. */
export function hourNumber(hourStart: Date): number {
  return Math.floor(hourStart.getTime() / HOUR);
}

/** `YYYY-MM-DD HH:MM:SS` in UTC, the form of REST's `start_time` and `end_time` (spec 2.2). */
export function spacedSeconds(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}

/** `YYYY-MM-DDTHH:MM:SS` in UTC, the form of REST's `submitted_at` (spec 2.3). */
export function joinedSeconds(time: Date): string {
  return time.toISOString().slice(0, 19);
}

/** The forms that the schema offers for an instant. */
export type TimeFormat = 'ISO' | 'SPACED' | 'JOINED';

/** An instant as text in one of these forms; ISO with milliseconds when none was asked for. */
export function timeText(time: Date, format?: TimeFormat | null): string {
  switch (format ?? 'ISO') {
    case 'ISO':
      return time.toISOString();
    case 'SPACED':
      return spacedSeconds(time);
    case 'JOINED':
      return joinedSeconds(time);
  }
}
