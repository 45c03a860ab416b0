import { type Expression, type RawBuilder, sql } from 'kysely';

import { checkKnown, singleValue, someOf, wholeNumber } from '../http/parameters.ts';
import { MAX_ID, MAX_PREDICTION_ID } from '../limits.ts';
import { roundConditions } from '../reads/rounds.ts';
import { ASSETS } from '../rules/assets.ts';
import { refused } from '../rules/errors.ts';
import { nameKey } from '../rules/agents.ts';
import { instantOf } from '../rules/hours.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { ROUND_STATUSES } from '../rules/round-states.ts';
import { ARCHIVE_KINDS } from '../rules/windows.ts';

type Conditions = readonly Expression<unknown>[];

/** A query parameter that narrows an export. */
export interface Filter {
  readonly name: string;
  /** What a value must be, for the refusal of anything else: "must be ...". */
  readonly mustBe: string;
  /** The conditions of a value, or null for a value that is refused. */
  readonly conditions: (value: string) => Conditions | null;
}

const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;
const TIME = 'a UTC time, such as 2026-01-31, 2026-01-31 12:00:00 or 2026-01-31T12:00:00Z';

/** What rounds can be narrowed by, under the conditions of GraphQL; `r` is the round. */
export const ROUND_FILTERS: readonly Filter[] = [
  id('round_id', 'the id of a round, a whole number from 1', (value) => [sql`r.id = ${value}`]),
  anyOf('status', ROUND_STATUSES, (status) => roundConditions({ status })),
  anyOf('question_type', QUESTION_TYPES, (questionType) => roundConditions({ questionType })),
  anyOf('asset', ASSETS, (assets) => [
    sql`(${sql.join(
      assets.flatMap((asset) => roundConditions({ asset })),
      sql` or `,
    )})`,
  ]),
  time('from', `the earliest start of a round, ${TIME}`, (from) => roundConditions({ from })),
  time('to', `a time that rounds start before, ${TIME}`, (to) => roundConditions({ to })),
];

/** What candles can be narrowed by; `r` is the round, `t` the candle: of assets that of the candle itself. */
export const CANDLE_FILTERS: readonly Filter[] = [
  ...ROUND_FILTERS.filter(({ name }) => name !== 'asset'),
  anyOf('asset', ASSETS, (assets) => [sql`t.asset = any(${[...assets]})`]),
];

/** What frozen boards can be narrowed by; `c` is the board, `a` the agent at a place. */
export const ARCHIVE_FILTERS: readonly Filter[] = [
  anyOf('kind', ARCHIVE_KINDS, (kinds) => [sql`c.kind = any(${[...kinds]})`]),
  id('agent_id', 'the id of an agent, a whole number from 1', (value) => [sql`a.id = ${value}`]),
  agentName('agent'),
  time('from', `the earliest start of a period, ${TIME}`, (from) => [sql`c.start_time >= ${from}`]),
  time('to', `a time that periods start before, ${TIME}`, (to) => [sql`c.start_time < ${to}`]),
];

/** What predictions can be narrowed by; `p` is the prediction, `s` its score, `a` its agent, `r` its round. */
export const PREDICTION_FILTERS: readonly Filter[] = [
  id('agent_id', 'the id of an agent, a whole number from 1', (value) => [sql`p.agent_id = ${value}`]),
  agentName('agent'),
  agentName('agent_name'),
  ...ROUND_FILTERS,
  oneOf('is_correct', ['1', '0'], (value) => [sql`s.is_correct = ${value === '1'}`]),
];

/** Where a client goes on that has the rows up to this id: 0 where none is given. */
export function afterOf(query: URLSearchParams): number {
  const value = singleValue(query, 'after') ?? '0';
  const after = wholeNumber(value, { min: 0, max: MAX_PREDICTION_ID });
  if (after !== null) return after;
  throw refused('after', 'the id in the last line that was received, a whole number from 0', value);
}

/** What a file begins with: with `bom=1` the mark by which spreadsheets know UTF-8. */
export function markOf(query: URLSearchParams): string {
  const value = singleValue(query, 'bom') ?? '0';
  if (value === '0' || value === '1') return value === '1' ? '\uFEFF' : '';
  throw refused('bom', '1 or 0', value);
}

/**
 * The conditions of the parameters that a request gives. Throws `BAD_REQUEST` naming a parameter and what it must be, or
 * one that there is not: a misspelt filter would give a file that looks right and is not.
 */
export function conditionsOf(
  filters: readonly Filter[],
  query: URLSearchParams,
  others: readonly string[],
): RawBuilder<unknown> {
  checkKnown(query, [...filters.map(({ name }) => name), ...others]);
  const conditions = filters.flatMap(({ name, mustBe, conditions: of }) => {
    const value = singleValue(query, name);
    if (value === undefined) return [];
    const found = of(value);
    if (found === null) throw refused(name, mustBe, value);
    return found;
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function agentName(name: string): Filter {
  return {
    name,
    mustBe: 'the name of an agent, 3 to 50 characters, only a-z, A-Z, 0-9, "_" and "-"',
    conditions: (value) => (/^[\w-]{3,50}$/.test(value) ? [sql`a.name_key = ${nameKey(value)}`] : null),
  };
}

function id(name: string, mustBe: string, of: (value: number) => Conditions): Filter {
  return {
    name,
    mustBe,
    conditions(value) {
      const number = wholeNumber(value, { min: 1, max: MAX_ID });
      return number === null ? null : of(number);
    },
  };
}

function oneOf(name: string, values: readonly string[], of: (value: string) => Conditions): Filter {
  return {
    name,
    mustBe: `one of ${values.join(', ')}`,
    conditions: (value) => (values.includes(value) ? of(value) : null),
  };
}

/** A list with commas, of which a row meets one. */
function anyOf<Value extends string>(
  name: string,
  values: readonly Value[],
  of: (values: readonly Value[]) => Conditions,
): Filter {
  return {
    name,
    mustBe: `one or more of ${values.join(', ')}, with commas and without spaces`,
    conditions(text) {
      const given = someOf(text, values);
      return given === null ? null : of(given);
    },
  };
}

function time(name: string, mustBe: string, of: (value: Date) => Conditions): Filter {
  return {
    name,
    mustBe,
    conditions(value) {
      if (!INSTANT.test(value)) return null;
      const [day = '', clock = '00:00'] = value.replace('Z', '').split(/[T ]/);
      const instant = instantOf(`${day}T${clock}Z`);
      return instant === null ? null : of(instant);
    },
  };
}
