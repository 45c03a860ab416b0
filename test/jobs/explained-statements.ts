import { Client } from 'pg';

import type { Arena } from '../support/arena.ts';

/** A part of a plan that PostgreSQL has followed. */
export interface PlanPart {
  readonly statement: string;
  readonly node: string;
  /** Null where it scans none. */
  readonly table: string | null;
  /** Which it reads by; null where it reads by none. */
  readonly index: string | null;
  /** How many rows it has looked at, each as often as it has. */
  readonly rows: number;
}

/** A node of a plan, as `auto_explain` tells it: figures are means of its loops. */
interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_nested_statements': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** Later connections to the database send the plan of each statement. */
export async function explainStatements({ connection, query }: Pick<Arena, 'connection' | 'query'>): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS))
    await query(`alter database ${connection.database} set ${name} = '${value}'`);
}

/**
 * Every part of every plan that is followed on connections of this process while `work` runs. The database tells them as
 * notices, by settings of the test's own.
 */
export async function rowsLookedAt(work: () => Promise<unknown>): Promise<readonly PlanPart[]> {
  const parts: PlanPart[] = [];
  const emit = Reflect.get(Client.prototype, 'emit');
  const received = function received(this: Client, ...args: readonly unknown[]): unknown {
    if (args[0] === 'notice') parts.push(...partsOf(String(Reflect.get(Object(args[1]), 'message'))));
    return Reflect.apply(emit, this, args);
  };
  Reflect.set(Client.prototype, 'emit', received);
  try {
    await work();
  } finally {
    Reflect.deleteProperty(Client.prototype, 'emit');
  }
  return parts;
}

function partsOf(notice: string): readonly PlanPart[] {
  const [, json] = /^duration: [^{]*plan:\s*(\{.*\})\s*$/s.exec(notice) ?? [];
  if (json === undefined) return [];
  const { 'Query Text': text, Plan: plan }: { 'Query Text': string; Plan: PlanNode } = JSON.parse(json);
  return nodesOf(plan).map((node) => ({
    statement: text.trim(),
    node: node['Node Type'],
    table: node['Relation Name'] ?? null,
    index: node['Index Name'] ?? null,
    rows: lookedAt(node),
  }));
}

function nodesOf(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function lookedAt(node: PlanNode): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return (node['Actual Rows'] + removed) * node['Actual Loops'];
}
