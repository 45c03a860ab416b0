import { joinedSeconds, spacedSeconds } from '../rules/hours.ts';
import type { TimeFormat } from './schema-types.ts';

const FORMATS: Readonly<Record<TimeFormat, (time: Date) => string>> = {
  ISO: (time) => time.toISOString(),
  SPACED: spacedSeconds,
  JOINED: joinedSeconds,
};

/** An instant as text in one of the forms that the schema offers; ISO when none was asked for. */
export function timeText(time: Date, format: TimeFormat | null | undefined): string {
  return FORMATS[format ?? 'ISO'](time);
}
