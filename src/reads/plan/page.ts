import { sql } from 'kysely';

import { type Key, writeCursor } from '../cursors.ts';
import { type ListOrder, type PageOfList, pageParts } from '../paging.ts';
import {
  type Column,
  instant,
  list as jsonList,
  many,
  plain,
  type PlanSelection,
  typedValue,
  valueOf,
  withPrefetched,
} from './plan.ts';

/** A page as a Relay connection, with the selected parts; a part selected twice has the value of the first selection. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The rows of a page alone. */
export function pageRows<Row>({ list, page }: PageOfList, row: Column<Row>): Column<readonly Row[]> {
  const { from, where, inOrder } = pageParts(list, page.after);
  return many(row, sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(page.first)}`);
}

/**
 * A page as a connection. Cursors, and the row after the page, are read only if selected. Rows selected both as nodes and
 * as edges are read once, with the fields of each selection.
 */
export function pageOf<Node>(
  { list, page: { first, after } }: PageOfList,
  selected: readonly PlanSelection[],
  rowOf: (selected: readonly PlanSelection[]) => Column<Node | null>,
): Column<Connection<Node>> {
  const selectedParts = connectionParts(selected);
  const nodes = selectedParts.nodes.map((one) => rowOf(one.selected));
  const keys = selectedParts.cursors ? list.order.columns.map(keyColumn) : [];
  const row: Column<PageRow> = { sql: jsonList([...nodes, ...keys].map((column) => column.sql)) };
  const rows = pageRows({ list, page: { first: selectedParts.next ? first + 1 : first, after } }, row);
  const before = selectedParts.previous ? pageParts(list, after).hasPrevious() : sql.lit(false);
  const nodeOf = (field: PlanSelection, found: PageRow) => {
    const at = selectedParts.nodes.indexOf(field);
    return nodes[at] && valueOf(nodes[at], found[at]);
  };
  const cursorIn = (found: PageRow) =>
    selectedParts.cursors ? cursorOf(list.order, keys, found.slice(nodes.length)) : null;
  return {
    sql: jsonList([rows.sql, before]),
    read(json) {
      const [found, previous]: readonly unknown[] = Array.isArray(json) ? json : [];
      const page = { found: valueOf(rows, found), first, hasPreviousPage: previous === true, nodeOf, cursorIn };
      return typedValue<Connection<Node>>(connection(selectedParts, page)).value;
    },
  };
}

/** A row of a page: a value for each of its selections, and the keys of its cursor. */
type PageRow = readonly unknown[];

interface FoundPage {
  readonly found: readonly PageRow[];
  readonly first: number;
  readonly hasPreviousPage: boolean;
  readonly nodeOf: (field: PlanSelection, found: PageRow) => unknown;
  readonly cursorIn: (found: PageRow) => string | null;
}

function connection(
  selectedParts: ConnectionParts,
  { found, first, hasPreviousPage, nodeOf, cursorIn }: FoundPage,
): object {
  const shown = found.slice(0, first);
  const [start, end] = [shown.at(0), shown.at(-1)];
  const pageInfo = {
    hasNextPage: found.length > first,
    hasPreviousPage,
    startCursor: start ? cursorIn(start) : null,
    endCursor: end ? cursorIn(end) : null,
  };
  const edgeOf = (fields: readonly PlanSelection[], row: PageRow) => {
    const nodes = fields.map((one) => [one.key, nodeOf(one, row)] as const);
    return withPrefetched({ cursor: cursorIn(row), node: nodes[0]?.[1] }, nodes);
  };
  const lists = selectedParts.lists.map((one) => [one.key, shown.map((row) => nodeOf(one, row))] as const);
  const edges = selectedParts.edges.map((one) => {
    const fields = selectionsNamed(one.selected, 'node');
    return [one.key, shown.map((row) => edgeOf(fields, row))] as const;
  });
  return withPrefetched({ pageInfo, nodes: lists[0]?.[1], edges: edges[0]?.[1] }, [...lists, ...edges]);
}

type ConnectionParts = ReturnType<typeof connectionParts>;

/** The selected parts of a connection. */
function connectionParts(selected: readonly PlanSelection[]) {
  const [lists, edges] = [selectionsNamed(selected, 'nodes'), selectionsNamed(selected, 'edges')];
  const ofEdges = edges.flatMap((one) => one.selected);
  const info = selectionsNamed(selected, 'pageInfo').flatMap((one) => one.selected);
  return {
    lists,
    edges,
    /** The selections of a row, in `nodes` and in `edges`. */
    nodes: [...lists, ...selectionsNamed(ofEdges, 'node')],
    cursors: selectionsNamed(ofEdges, 'cursor').length + selectionsNamed(info, 'startCursor', 'endCursor').length > 0,
    next: selectionsNamed(info, 'hasNextPage').length > 0,
    previous: selectionsNamed(info, 'hasPreviousPage').length > 0,
  };
}

function selectionsNamed(fields: readonly PlanSelection[], ...names: readonly string[]): readonly PlanSelection[] {
  return fields.filter(({ name }) => names.includes(name));
}

function keyColumn({ kind, column }: ListOrder['columns'][number]): Column {
  return kind === 'instant' ? instant(column.$castTo<Date>()) : plain(column);
}

function cursorOf({ name }: ListOrder, keys: readonly Column[], values: readonly unknown[]): string {
  return writeCursor(name, keys.map((key, at) => valueOf(key, values[at])).filter(isKey));
}

function isKey(value: unknown): value is Key {
  return typeof value === 'number' || typeof value === 'string' || value instanceof Date;
}
