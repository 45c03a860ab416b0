import { type EntityName, p } from '@mikro-orm/postgresql';

/** A foreign key in `column`: the database keeps the referenced row. */
export function belongsTo<Entity extends object, Column extends string>(target: EntityName<Entity>, column: Column) {
  return p.manyToOne(target).mapToPk().$type<number>().name(column).deleteRule('no action').updateRule('no action');
}

/** Numbers as in JavaScript, so that results are equal to the last bit. */
export const numbers = () => p.array(Number).columnType('double precision[]');

/** An index as PostgreSQL writes it: `on` is the table with its columns, and a condition if there is one. */
export function index(name: string, on: string) {
  return { name, expression: `create index "${name}" on ${on}` };
}

/** As `index`, with each key in one row at most. */
export function uniqueIndex(name: string, on: string) {
  return { name, expression: `create unique index "${name}" on ${on}` };
}

/** The trigger of an append-only table, which rejects updates and deletes (`refuse_change`). */
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

/** The trigger that calls `refuse` with all rows that a statement inserted: foreign keys would check each row. */
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
 * The trigger of `agents` or `rounds` that rejects the removal of a row with predictions, and a change of its id. The
 * migration has another one against `truncate agents`, which the comparison of schemas ignores.
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

/** The trigger of `agents` that updates `name_counts` after a statement with these transition tables. */
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

/** The trigger of `agents` that rejects names reserved for another agent, like taken ones. */
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
