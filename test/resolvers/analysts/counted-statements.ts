import { Client } from 'pg';

/** Statements that the live feed sends by itself, and those behind answers: whichever moment they come at, nobody waits for them. */
export const UNAWAITED = /from "?events\b|last_seq|^\s*(?:update standing_agents set lapses_at|insert into refusals) /;

/** Of each new connection: which request is the first on one is chance. */
export const SETTINGS = /^select set_config\(key, value, false\)/;

/** The statements that reach PostgreSQL over any connection of this process while `work` runs, transactions' too. */
export function statementsDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  return queriesDuring(work, textOf);
}

/** The names of these statements, null for those that have none. */
export function namesDuring(work: () => Promise<unknown>): Promise<readonly (string | null)[]> {
  return queriesDuring(work, (statement) => {
    const name: unknown = statement instanceof Object ? Reflect.get(statement, 'name') : undefined;
    return typeof name === 'string' ? name : null;
  });
}

/** How many rows came back by each of these statements, which are sent with a callback. */
export async function rowsDuring(work: () => Promise<unknown>): Promise<readonly number[]> {
  const counts: number[] = [];
  const query = Reflect.get(Client.prototype, 'query');
  const counted = function counted(this: Client, ...args: readonly unknown[]): unknown {
    const done = args.at(-1);
    if (typeof done !== 'function') return Reflect.apply(query, this, args);
    const noted = (error: unknown, result?: { readonly rows: readonly unknown[] }): unknown => {
      if (result !== undefined) counts.push(result.rows.length);
      return Reflect.apply(done, undefined, [error, result]);
    };
    return Reflect.apply(query, this, [...args.slice(0, -1), noted]);
  };
  Reflect.set(Client.prototype, 'query', counted);
  try {
    await work();
  } finally {
    Reflect.set(Client.prototype, 'query', query);
  }
  return counts;
}

async function queriesDuring<T>(work: () => Promise<unknown>, pick: (statement: unknown) => T): Promise<readonly T[]> {
  const statements: T[] = [];
  const query = Reflect.get(Client.prototype, 'query');
  const counted = function counted(this: Client, ...args: readonly unknown[]): unknown {
    const text = textOf(args[0]);
    if (!UNAWAITED.test(text) && !SETTINGS.test(text)) statements.push(pick(args[0]));
    return Reflect.apply(query, this, args);
  };
  Reflect.set(Client.prototype, 'query', counted);
  try {
    await work();
  } finally {
    Reflect.set(Client.prototype, 'query', query);
  }
  return statements;
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  const text: unknown = statement instanceof Object ? Reflect.get(statement, 'text') : undefined;
  return typeof text === 'string' ? text : 'a statement without text';
}
