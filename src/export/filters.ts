import { type RawBuilder, sql } from 'kysely';

import { ASSETS } from '../rules/assets.ts';
import { DomainError } from '../rules/errors.ts';
import { nameKey } from '../rules/agent-name.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { quoted } from '../rules/quoted.ts';
import { ROUND_STATUSES } from '../rules/round-states.ts';

/** A query parameter that narrows an export. */
export interface Filter {
  readonly name: string;
  /** What it takes, for the refusal of anything else. */
  readonly takes: string;
  /** The condition for a value, or null for a value that it does not take. */
  readonly condition: (value: string) => RawBuilder<unknown> | null;
}

const WHOLE_NUMBER = /^[1-9]\d{0,8}$/;
const INSTANT = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?Z?)?$/;
const TIME_TAKES = 'a UTC time, such as 2026-01-31, 2026-01-31 12:00:00 or 2026-01-31T12:00:00Z.';

/** What rounds can be narrowed by; `r` is the round. */
export const ROUND_FILTERS: readonly Filter[] = [
  id('round_id', "a round's id: a whole number from 1.", (value) => sql`r.id = ${value}`),
  oneOf('status', ROUND_STATUSES, (value) => sql`r.status = ${value}`),
  oneOf('question_type', QUESTION_TYPES, (value) => sql`r.question_type = ${value}`),
  oneOf(
    'asset',
    ASSETS,
    (value) => sql`exists (select 1 from round_assets d where d.round_id = r.id and d.asset = ${value})`,
  ),
  time('from', `the earliest start of a round: ${TIME_TAKES}`, (value) => sql`r.start_time >= ${value}`),
  time('to', `what rounds start before: ${TIME_TAKES}`, (value) => sql`r.start_time < ${value}`),
];

/** What predictions can be narrowed by; `p` is the prediction, `s` its score, `a` its agent, `r` its round. */
export const PREDICTION_FILTERS: readonly Filter[] = [
  id('agent_id', "an agent's id: a whole number from 1.", (value) => sql`p.agent_id = ${value}`),
  {
    name: 'agent_name',
    takes: "an agent's name: 3-50 characters, only a-z A-Z 0-9 _ -",
    condition: (value) => (/^[\w-]{3,50}$/.test(value) ? sql`a.name_key = ${nameKey(value)}` : null),
  },
  ...ROUND_FILTERS,
  oneOf('is_correct', ['1', '0'], (value) => sql`s.is_correct = ${value === '1'}`),
];

/** The conditions of the parameters that a request gives. Throws `BAD_REQUEST` naming a parameter and what it takes. */
export function conditionsOf(filters: readonly Filter[], query: URLSearchParams): RawBuilder<unknown> {
  const conditions = filters.flatMap(({ name, takes, condition }) => {
    const [value, ...more] = query.getAll(name);
    if (value === undefined) return [];
    if (more.length > 0) {
      throw new DomainError('BAD_REQUEST', `${name} is given ${more.length + 1} times; give it once.`);
    }
    const found = condition(value);
    if (found === null)
      throw new DomainError('BAD_REQUEST', `${name} does not take ${quoted(value)}. It takes ${takes}`);
    return [found];
  });
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

function id(name: string, takes: string, condition: (value: number) => RawBuilder<unknown>): Filter {
  return { name, takes, condition: (value) => (WHOLE_NUMBER.test(value) ? condition(Number(value)) : null) };
}

function oneOf(name: string, values: readonly string[], condition: (value: string) => RawBuilder<unknown>): Filter {
  return {
    name,
    takes: `one of ${values.join(', ')}.`,
    condition: (value) => (values.includes(value) ? condition(value) : null),
  };
}

function time(name: string, takes: string, condition: (value: Date) => RawBuilder<unknown>): Filter {
  return {
    name,
    takes,
    condition(value) {
      if (!INSTANT.test(value)) return null;
      const [day = '', clock = '00:00'] = value.replace('Z', '').split(/[T ]/);
      const instant = new Date(`${day}T${clock}Z`);
      return Number.isNaN(instant.getTime()) ? null : condition(instant);
    },
  };
}
