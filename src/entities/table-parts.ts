import { type EntityName, p } from '@mikro-orm/core';

/** The id of a row of another table, in `column`: the database keeps that row while this one refers to it. */
export function belongsTo<Entity extends object, Column extends string>(target: EntityName<Entity>, column: Column) {
  return p.manyToOne(target).mapToPk().$type<number>().name(column).deleteRule('no action').updateRule('no action');
}

/** Numbers as JavaScript has them, so that what follows from them comes out the same to the last bit. */
export const numbers = () => p.array(Number).columnType('double precision[]');

/** The trigger of a table whose rows are never changed and never removed: the database refuses both (`refuse_change`). */
export function appendOnly(table: string) {
  const name = `${table}_kept`;
  return {
    name,
    timing: 'before' as const,
    events: ['update' as const, 'delete' as const, 'truncate' as const],
    forEach: 'statement' as const,
    expression: `create trigger ${name} before update or delete or truncate on ${table}
      for each statement execute function refuse_change()`,
  };
}

/** The trigger of a table that has `refuse` look at all rows that a statement has added: in place of foreign keys, which look at each. */
export function checksAdded(table: string, { name, refuse }: { readonly name: string; readonly refuse: string }) {
  return {
    name,
    timing: 'after' as const,
    events: ['insert' as const],
    forEach: 'statement' as const,
    expression: `create trigger ${name} after insert on ${table}
      referencing new table as added for each statement execute function ${refuse}()`,
  };
}

/**
 * The trigger of `agents` or `rounds` that refuses to remove a row with predictions, or to give it another id.
 * The migration has one more, against `truncate agents`, which stands nowhere here: the comparison of schemas leaves such triggers out.
 */
export function keepsPredicted(table: 'agents' | 'rounds') {
  const name = `${table}_predicted`;
  return {
    name,
    timing: 'before' as const,
    events: ['delete' as const, 'update' as const],
    forEach: 'row' as const,
    expression: `create trigger ${name} before delete or update of id on ${table}
      for each row execute function keep_predicted_${table === 'agents' ? 'agent' : 'round'}()`,
  };
}

/** The trigger of `agents` that keeps `name_counts` after one kind of statement, which has left these tables of rows. */
export function countsNames(event: 'insert' | 'update' | 'delete', rows: string) {
  const name = `agents_names_counted_${event}`;
  return {
    name,
    timing: 'after' as const,
    events: [event],
    forEach: 'statement' as const,
    expression: `create trigger ${name} after ${event} on agents
      referencing ${rows} for each statement execute function count_names()`,
  };
}

/** The trigger of `agents` that refuses a name which is reserved for another agent, as if it were taken. */
export function reservesNames() {
  const name = 'agents_name_reserved';
  return {
    name,
    timing: 'after' as const,
    events: ['insert' as const, 'update' as const],
    forEach: 'row' as const,
    expression: `create trigger ${name} after insert or update of name_key on agents
      for each row execute function refuse_reserved_name()`,
  };
}
