import { GraphQLError, GraphQLInt, GraphQLScalarType, Kind } from 'graphql';

import { quoted } from '../rules/errors.ts';
import { instantOf } from '../rules/hours.ts';

const MUST_BE = 'an instant in ISO 8601 with its zone, such as 2026-01-31T12:00:00.000Z';
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

export const dateTime = new GraphQLScalarType<Date, string>({
  name: 'DateTime',
  serialize: (value) => instant(value).toISOString(),
  parseValue: instant,
  parseLiteral: (node) => instant(node.kind === Kind.STRING ? node.value : undefined),
});

function instant(value: unknown): Date {
  const time = value instanceof Date ? value : typeof value === 'string' && ISO.test(value) ? instantOf(value) : null;
  if (time === null || Number.isNaN(time.getTime()))
    throw new GraphQLError(`DateTime must be ${MUST_BE} (got ${quoted(value)}).`);
  return time;
}

export const json = new GraphQLScalarType<never, unknown>({
  name: 'JSON',
  serialize: (value) => value,
  parseValue: () => {
    throw new GraphQLError('JSON cannot be used as an input.');
  },
});

const usual = GraphQLInt.toConfig();

/** 53 bits: ids of predictions and totals outgrow 32, and another type name would break callers' documents. */
export const int = new GraphQLScalarType<number, number>({
  ...usual,
  serialize: (value) => (isWide(value) ? value : usual.serialize(value)),
  parseValue: (value) => (isWide(value) ? value : usual.parseValue(value)),
  parseLiteral: (node, variables) =>
    node.kind === Kind.INT && isWide(Number(node.value)) ? Number(node.value) : usual.parseLiteral(node, variables),
});

function isWide(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
