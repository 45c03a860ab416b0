import { GCProfiler } from 'node:v8';

import { Client } from 'pg';

import { recordOf } from '../support/http.ts';
import { SETTINGS, statementsDuring, UNAWAITED } from '../resolvers/analysts/counted-statements.ts';

/** PostgreSQL's own count of an executed plan. */
export interface Plan {
  readonly text: string;
  /** Rows that scans of tables read, also those that a filter removes. */
  readonly rows: number;
  /** Shared pages, each time that the statement touches one. */
  readonly buffers: number;
  /** Bytes of WAL. */
  readonly log: number;
}

export interface Work {
  /** Transactions' own statements too. */
  readonly statements: readonly string[];
  readonly plans: readonly Plan[];
  /** Bytes of WAL, commits included. */
  readonly log: number;
}

/** auto_explain sends each executed plan as a notice, so that no statement runs twice. */
const EXPLAIN = `load 'auto_explain'; set auto_explain.log_analyze = on; set auto_explain.log_buffers = on;
  set auto_explain.log_wal = on; set auto_explain.log_timing = off; set auto_explain.log_format = json;
  set auto_explain.log_level = notice; set auto_explain.log_min_duration = 0; select pg_stat_force_next_flush()`;
const EXPLAIN_NO_MORE = 'set auto_explain.log_min_duration = -1; select pg_stat_force_next_flush()';
const COUNTING = /pg_stat_(?:force_next_flush|get_backend_wal)/;
const WRITTEN = 'select wal_bytes::int as bytes from pg_stat_get_backend_wal(pg_backend_pid())';

/** The statements over any connection of this process while `work` runs. */
export async function workDuring(work: () => Promise<unknown>): Promise<Work> {
  const plans: Plan[] = [];
  const before = new Map<Client, Promise<number>>();
  const query = Reflect.get(Client.prototype, 'query');
  const written = (client: Client): Promise<number> =>
    new Promise((resolve, reject) => {
      const done = (error: unknown, result?: { readonly rows: readonly { readonly bytes: number }[] }): void =>
        error === null ? resolve(result?.rows[0]?.bytes ?? Number.NaN) : reject(error);
      Reflect.apply(query, client, [WRITTEN, done]);
    });
  const note = ({ message }: { readonly message?: string | undefined }): void => {
    const [, json] = /^duration: .* plan:\n(.*)$/s.exec(message ?? '') ?? [];
    const plan = json === undefined ? null : planOf(JSON.parse(json));
    if (plan !== null && ![UNAWAITED, SETTINGS, COUNTING].some((skipped) => skipped.test(plan.text))) plans.push(plan);
  };
  const explained = function explained(this: Client, ...args: readonly unknown[]): unknown {
    if (!before.has(this)) {
      Reflect.apply(query, this.on('notice', note), [EXPLAIN, () => {}]);
      before.set(this, written(this));
    }
    return Reflect.apply(query, this, args);
  };
  Reflect.set(Client.prototype, 'query', explained);
  // pg warns about a statement behind another one on its connection.
  const { noDeprecation = false } = process;
  process.noDeprecation = true;
  const statements = await statementsDuring(work).finally(() => Reflect.set(Client.prototype, 'query', query));
  let log = 0;
  for (const [client, bytes] of before) {
    Reflect.apply(query, client.off('notice', note), [EXPLAIN_NO_MORE, () => {}]);
    log += (await written(client)) - (await bytes);
  }
  process.noDeprecation = noDeprecation;
  return { statements, plans, log };
}

function planOf(explained: Readonly<Record<string, unknown>>): Plan {
  const plan = recordOf(explained['Plan']);
  return {
    text: String(explained['Query Text']).replaceAll(/\s+/g, ' '),
    rows: Math.round(rowsIn(plan)),
    buffers: sumOf(plan, 'Shared Hit Blocks', 'Shared Read Blocks'),
    log: sumOf(plan, 'WAL Bytes'),
  };
}

function rowsIn(plan: Readonly<Record<string, unknown>>): number {
  const isScan = 'Relation Name' in plan && plan['Node Type'] !== 'ModifyTable';
  const own = isScan ? sumOf(plan, 'Actual Rows', 'Rows Removed by Filter', 'Rows Removed by Index Recheck') : 0;
  const inner: unknown[] = Array.isArray(plan['Plans']) ? plan['Plans'] : [];
  return own * sumOf(plan, 'Actual Loops') + inner.reduce<number>((sum, part) => sum + rowsIn(recordOf(part)), 0);
}

function sumOf(plan: Readonly<Record<string, unknown>>, ...names: readonly string[]): number {
  return names.reduce((sum, name) => sum + Number(plan[name] ?? 0), 0);
}

/** Bytes of the heap that `work` allocates: its growth, and everything that collections free meanwhile. */
export async function allocatedDuring(work: () => Promise<unknown>): Promise<number> {
  const profiler = new GCProfiler();
  profiler.start();
  let bytes = -process.memoryUsage().heapUsed;
  await work();
  bytes += process.memoryUsage().heapUsed;
  for (const { beforeGC, afterGC } of profiler.stop().statistics)
    bytes += beforeGC.heapStatistics.usedHeapSize - afterGC.heapStatistics.usedHeapSize;
  return bytes;
}
