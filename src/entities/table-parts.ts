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

interface TriggerParts {
  readonly on: string;
  readonly timing: 'before' | 'after';
  readonly events: readonly ('insert' | 'update' | 'delete' | 'truncate')[];
  /** The column whose updates alone count. */
  readonly of?: string;
  readonly forEach: 'row' | 'statement';
  /** The transition tables. */
  readonly rows?: string;
  readonly calls: string;
}

function trigger(name: string, { on, timing, events, of, forEach, rows, calls }: TriggerParts) {
  const when = `${timing} ${events.join(' or ')}${of === undefined ? '' : ` of ${of}`}`;
  const expression = `create trigger ${name} ${when} on ${on}
      ${rows === undefined ? '' : `referencing ${rows} `}for each ${forEach} execute function ${calls}()`;
  return { name, timing, events: [...events], forEach, expression };
}

/** The trigger of an append-only table, which rejects updates and deletes (`refuse_change`). */
export function appendOnly(on: string) {
  const events = ['update', 'delete', 'truncate'] as const;
  return trigger(`${on}_kept`, { on, timing: 'before', events, forEach: 'statement', calls: 'refuse_change' });
}

/** The trigger that calls `refuse` with all rows that a statement inserted: foreign keys would check each row. */
export function checksAdded(on: string, { name, refuse }: { readonly name: string; readonly refuse: string }) {
  const rows = 'new table as added';
  return trigger(name, { on, timing: 'after', events: ['insert'], forEach: 'statement', rows, calls: refuse });
}

/**
 * The trigger of `agents` or `rounds` that rejects the removal of a row with predictions, and a change of its id. The
 * migration has another one against `truncate agents`, which the comparison of schemas ignores.
 */
export function keepsPredicted(on: 'agents' | 'rounds') {
  const calls = on === 'agents' ? 'keep_predicted_agent' : 'keep_predicted_round';
  const when = { timing: 'before', events: ['delete', 'update'], of: 'id', forEach: 'row' } as const;
  return trigger(`${on}_predicted`, { on, ...when, calls });
}

/** The trigger of `agents` that updates `name_counts` after a statement with these transition tables. */
export function countsNames(event: 'insert' | 'update' | 'delete', rows: string) {
  const when = { timing: 'after', events: [event], forEach: 'statement' } as const;
  return trigger(`agents_names_counted_${event}`, { on: 'agents', ...when, rows, calls: 'count_names' });
}

/** The trigger of `agents` that rejects names reserved for another agent, like taken ones. */
export function reservesNames() {
  const when = { timing: 'after', events: ['insert', 'update'], of: 'name_key', forEach: 'row' } as const;
  return trigger('agents_name_reserved', { on: 'agents', ...when, calls: 'refuse_reserved_name' });
}
