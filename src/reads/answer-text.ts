import { type RawBuilder, sql } from 'kysely';

/*
 * SQL that writes answers as `JSON.stringify` writes what the resolvers return: without spaces, members in the order of the
 * document. PostgreSQL takes as long to write them as to make arrays of their values, and Node passes them on: of a list of
 * 100 rows with ten fields it takes three quarters of the time to read such arrays, resolve their fields and write them.
 */

/** A member of an object, by its name in the answer. */
export interface Member {
  readonly key: string;
  readonly value: RawBuilder<unknown>;
}

/** A field that is asked for, and what is asked of its value. */
interface SelectedField {
  readonly key: string;
  readonly name: string;
  readonly selected: readonly SelectedField[];
}

/** An object whose members are known by their fields' names; unset where one is not. */
export function membersText(
  selected: readonly SelectedField[],
  known: Readonly<Record<string, (selected: readonly SelectedField[]) => RawBuilder<unknown> | undefined>>,
): RawBuilder<unknown> | undefined {
  const members = selected.flatMap((one) => {
    const value = known[one.name]?.(one.selected);
    return value === undefined ? [] : [{ key: one.key, value }];
  });
  return members.length < selected.length ? undefined : objectText(members);
}

/** A function of PostgreSQL takes 100 arguments. */
const MOST_ARGUMENTS = 100;

/** An object as text. A member whose value is NULL is null. */
export function objectText(members: readonly Member[]): RawBuilder<unknown> {
  const parts = members.flatMap(({ key, value }, at) => [
    sql.lit(`${at === 0 ? '{' : ','}"${key}":`),
    sql`coalesce((${value})::text, 'null')`,
  ]);
  return joined([...parts, sql.lit(members.length === 0 ? '{}' : '}')]);
}

function joined(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  if (parts.length <= MOST_ARGUMENTS) return sql`concat(${sql.join(parts)})`;
  return sql`concat(${sql.join(parts.slice(0, MOST_ARGUMENTS))}) || ${joined(parts.slice(MOST_ARGUMENTS))}`;
}

/** The rows of `from` as the text of an array, in their order. */
export function listText(item: RawBuilder<unknown>, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select concat('[', string_agg(x.item, ','), ']') from (select ${item} as item from ${from}) x)`;
}

/** A decimal of at most 15 digits, none behind the sixth decimal place, which JavaScript writes in the same way. */
export function decimalText(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`trim_scale(${value})`;
}

/**
 * Any number as JavaScript writes the double next to it. Both write the fewest digits that tell it from other doubles, but
 * PostgreSQL goes over to exponents at 1e15 and below 1e-4, JavaScript at 1e21 and below 1e-6. Beyond 1e15, where no figure
 * of ours is, one in some thousands has more digits than in JavaScript: PostgreSQL takes none in the middle of two doubles.
 */
export function floatText(value: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select case
      when abs(f.v) >= 1e-4 and abs(f.v) < 1e15 then f.v::text
      when abs(f.v) >= 1e-6 and abs(f.v) < 1e21 then trim_scale(f.v::text::numeric)::text
      when f.v = 0 then '0'
      else replace(f.v::text, 'e-0', 'e-') end
    from (select (${value})::float8 as v) f)`;
}

/** An integer in units of which so many make 1, as src/rules/payoffs.ts shows it. */
export function figureText(value: RawBuilder<unknown>, units: number): RawBuilder<unknown> {
  return floatText(sql`${value} / ${sql.lit(units)}::float8`);
}

const TIME_FORMATS: Readonly<Record<string, string>> = {
  ISO: 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"',
  SPACED: 'YYYY-MM-DD HH24:MI:SS',
  JOINED: 'YYYY-MM-DD"T"HH24:MI:SS',
};

/** An instant with milliseconds, in a form that the schema offers; ISO when none was asked for. */
export function timeText(value: RawBuilder<unknown>, format: unknown = 'ISO'): RawBuilder<unknown> {
  const pattern = (typeof format === 'string' ? TIME_FORMATS[format] : undefined) ?? TIME_FORMATS['ISO'];
  return sql`to_json(to_char(${value} at time zone 'UTC', ${sql.lit(pattern)}))`;
}

/** Wins of competitions in percent, as src/rules/ranking.ts rounds it. */
export function winRateText(wins: RawBuilder<unknown>, competitions: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`case when ${competitions} > 0 then trim_scale(round(100.0 * ${wins} / ${competitions}, 2)) else 0 end`;
}

/** A text that is always the same. */
export function constantText(text: string): RawBuilder<unknown> {
  return sql.lit(JSON.stringify(text));
}
