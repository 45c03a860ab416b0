import type { Expression, SqlBool } from 'kysely';

import { checkKnown, singleValue, someOf, wholeNumber } from '../http/parameters.ts';
import { MAX_ID, MAX_PREDICTION_ID } from '../limits.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { roundConditions } from '../reads/rounds.ts';
import { ASSETS } from '../rules/assets.ts';
import { refused } from '../rules/errors.ts';
import { nameKey } from '../rules/agents.ts';
import { instantOf } from '../rules/hours.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { ROUND_STATUSES } from '../rules/round-states.ts';
import { ARCHIVE_KINDS } from '../rules/windows.ts';

type Conditions = readonly Expression<SqlBool>[];

/** A query parameter that narrows an export. */
export interface Filter {
  readonly name: string;
  /** The end of the message that refuses another value: "must be ...". */
  readonly mustBe: string;
  /** Null for a value that is refused. */
  readonly conditions: (value: string) => Conditions | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;
const TIME = 'a UTC time, such as 2026-01-31, 2026-01-31 12:00:00 or 2026-01-31T12:00:00Z';

const { r, t, c, a, p, s } = byAlias({
  r: 'rounds',
  t: 'candles',
  c: 'archives',
  a: 'agents',
  p: 'predictions',
  s: 'scores',
});

/** Filters of rounds `r`, with the conditions of GraphQL. */
export const ROUND_FILTERS: readonly Filter[] = [
  id('round_id', 'the id of a round, a whole number from 1', (value) => [parts(r('id'), '=', value)]),
  anyOf('status', ROUND_STATUSES, (status) => roundConditions({ status })),
  anyOf('question_type', QUESTION_TYPES, (questionType) => roundConditions({ questionType })),
  anyOf('asset', ASSETS, (assets) => [parts.or(assets.flatMap((asset) => roundConditions({ asset })))]),
  time('from', `the earliest start of a round, ${TIME}`, (from) => roundConditions({ from })),
  time('to', `the time before which rounds start, ${TIME}`, (to) => roundConditions({ to })),
];

/** Filters of candles `t` of rounds `r`: `asset` is that of the candle. */
export const CANDLE_FILTERS: readonly Filter[] = [
  ...ROUND_FILTERS.filter(({ name }) => name !== 'asset'),
  anyOf('asset', ASSETS, (assets) => [parts(t('asset'), '=', parts.fn.any(parts.val(assets)))]),
];

/** Filters of frozen boards `c` and their agents `a`. */
export const ARCHIVE_FILTERS: readonly Filter[] = [
  anyOf('kind', ARCHIVE_KINDS, (kinds) => [parts(c('kind'), '=', parts.fn.any(parts.val(kinds)))]),
  id('agent_id', 'the id of an agent, a whole number from 1', (value) => [parts(a('id'), '=', value)]),
  agentName('agent'),
  time('from', `the earliest start of a period, ${TIME}`, (from) => [parts(c('start_time'), '>=', from)]),
  time('to', `the time before which periods start, ${TIME}`, (to) => [parts(c('start_time'), '<', to)]),
];

/** Filters of predictions `p`, with score `s`, agent `a` and round `r`. */
export const PREDICTION_FILTERS: readonly Filter[] = [
  id('agent_id', 'the id of an agent, a whole number from 1', (value) => [parts(p('agent_id'), '=', value)]),
  agentName('agent'),
  agentName('agent_name'),
  ...ROUND_FILTERS,
  filter(
    { name: 'is_correct', mustBe: 'one of 1, 0' },
    (text) => (text === '1' || text === '0' ? text === '1' : null),
    (isCorrect) => [parts(s('is_correct'), '=', isCorrect)],
  ),
];

/** The id of the last row that the client has; default 0. */
export function afterOf(query: URLSearchParams): number {
  const value = singleValue(query, 'after') ?? '0';
  const after = wholeNumber(value, { min: 0, max: MAX_PREDICTION_ID });
  if (after !== null) return after;
  throw refused('after', 'the id in the last line that was received, a whole number from 0', value);
}

/** The start of the file: with `bom=1` the byte order mark, by which spreadsheets recognize UTF-8. */
export function markOf(query: URLSearchParams): string {
  const value = singleValue(query, 'bom') ?? '0';
  if (value === '0' || value === '1') return value === '1' ? '\uFEFF' : '';
  throw refused('bom', '1 or 0', value);
}

/**
 * The condition of a request's parameters. Throws `BAD_REQUEST` for a bad value and for an unknown name: a misspelt filter
 * would return a wrong file without an error.
 */
export function conditionsOf(
  filters: readonly Filter[],
  query: URLSearchParams,
  others: readonly string[],
): Expression<SqlBool> {
  checkKnown(query, [...filters.map(({ name }) => name), ...others]);
  const conditions = filters.flatMap(({ name, mustBe, conditions: of }) => {
    const value = singleValue(query, name);
    if (value === undefined) return [];
    const found = of(value);
    if (found === null) throw refused(name, mustBe, value);
    return found;
  });
  return parts.and(conditions);
}

/** A filter whose values `parse` reads. */
function filter<Value>(
  { name, mustBe }: Pick<Filter, 'name' | 'mustBe'>,
  parse: (text: string) => Value | null,
  of: (value: Value) => Conditions,
): Filter {
  const conditions = (text: string): Conditions | null => {
    const value = parse(text);
    return value === null ? null : of(value);
  };
  return { name, mustBe, conditions };
}

function agentName(name: string): Filter {
  const mustBe = 'the name of an agent, 3 to 50 characters, only a-z, A-Z, 0-9, "_" and "-"';
  return filter({ name, mustBe }, keyOf, (key) => [parts(a('name_key'), '=', key)]);
}

function keyOf(name: string): string | null {
  return /^[\w-]{3,50}$/.test(name) ? nameKey(name) : null;
}

function id(name: string, mustBe: string, of: (value: number) => Conditions): Filter {
  return filter({ name, mustBe }, (text) => wholeNumber(text, { min: 1, max: MAX_ID }), of);
}

/** A list with commas; a row matches one of the values. */
function anyOf<Value extends string>(
  name: string,
  values: readonly Value[],
  of: (values: readonly Value[]) => Conditions,
): Filter {
  const mustBe = `one or more of ${values.join(', ')}, with commas and without spaces`;
  return filter({ name, mustBe }, (text) => someOf(text, values), of);
}

function time(name: string, mustBe: string, of: (value: Date) => Conditions): Filter {
  return filter({ name, mustBe }, timeOf, of);
}

function timeOf(text: string): Date | null {
  if (!INSTANT.test(text)) return null;
  const [day = '', clock = '00:00'] = text.replace('Z', '').split(/[T ]/);
  return instantOf(`${day}T${clock}Z`);
}
