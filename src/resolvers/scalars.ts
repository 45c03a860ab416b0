import { GraphQLError, GraphQLScalarType, Kind } from 'graphql';

import { quoted } from '../rules/errors.ts';
import { joinedSeconds, spacedSeconds } from '../rules/hours.ts';
import type { TimeFormat } from './schema-types.ts';

const MUST_BE = 'an instant in ISO 8601 with its zone, such as 2026-01-31T12:00:00.000Z';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Instants: `Date` inside, ISO 8601 UTC with milliseconds and `Z` outside. */
export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => instant(value).toISOString(),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

function instant(value: unknown): Date {
  const time = value instanceof Date ? value : typeof value === 'string' && ISO.test(value) ? new Date(value) : null;
  if (time === null || Number.isNaN(time.getTime()))
    throw new GraphQLError(`DateTime must be ${MUST_BE} (got ${quoted(value)}).`);
  return time;
}

/** Any JSON object, as it is; answers only. */
export const json = new GraphQLScalarType<never, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON cannot be used as an input.');
  },
});

const FORMATS: Readonly<Record<TimeFormat, (time: Date) => string>> = {
  ISO: (time) => time.toISOString(),
  SPACED: spacedSeconds,
  JOINED: joinedSeconds,
};

/** An instant as text in one of the forms that the schema offers; ISO when none was asked for. */
export function timeText(time: Date, format: TimeFormat | null | undefined): string {
  return FORMATS[format ?? 'ISO'](time);
}
