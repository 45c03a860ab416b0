import type { SqlEntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import type { RawBuilder } from 'kysely';

import type { Read } from '../database/reads.ts';
import { madeOnceFor } from '../in-flight.ts';
import { calibrationsOf } from '../reads/calibration.ts';
import { type RecordWindow, storedRecords, windowRecord } from '../reads/forecast-record.ts';
import { recordedForecasts } from '../reads/forecasts.ts';
import { decidedCounts, decidedMinutes } from '../reads/crowd.ts';
import { historiesOf } from '../reads/histories.ts';
import type { OpenCrowds } from '../reads/open-crowds.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { type Column, type PlanSelection, many } from '../reads/plan/plan.ts';
import { agentRow, roundRow } from '../reads/plan/rows.ts';
import { quotedPoints, storedQuotes } from '../reads/quotes.ts';
import { byEntityManager } from '../reads/plan/read-column.ts';
import { numberedRows } from '../reads/table-functions.ts';
import type { RecordKind } from '../rules/forecast/record.ts';

export type Loaders = ReturnType<typeof makeLoaders>;

export function makeLoaders(read: Read, openCrowds: OpenCrowds) {
  return {
    agent: rowLoader(read, (selected, ids) =>
      many(orNull(a('id'), agentRow(selected)), idTable(ids).leftJoin('agents as a', 'a.id', 'asked.id')),
    ),
    round: rowLoader(read, (selected, ids) =>
      many(orNull(r('id'), roundRow(selected)), idTable(ids).leftJoin('rounds as r', 'r.id', 'asked.id')),
    ),
    quotes: byRound(read, storedQuotes),
    quotedPoints: byRound(read, quotedPoints),
    decidedCrowd: byRound(read, decidedCounts),
    openCrowd: new DataLoader(openCrowds, { cacheKeyFn: ({ id, totalEntries }) => `${id} ${totalEntries}` }),
    decidedMinutes: byRound(read, decidedMinutes),
    forecasts: byRound(read, recordedForecasts),
    forecastRecord: new DataLoader((kinds: readonly RecordKind[]) => read((em) => storedRecords(em, kinds))),
    windowRecord: new DataLoader(
      (windows: readonly RecordWindow[]) => Promise.all(windows.map((one) => read((em) => windowRecord(em, one)))),
      { cacheKeyFn: ({ kind, window }) => `${kind} ${window}` },
    ),
    calibration: loaderByArguments(read, calibrationsOf),
    history: loaderByArguments(read, historiesOf),
  };
}

/** By id; null without a row. One loader per selection: variables give each execution a new one. */
function rowLoader<Row>(
  read: Read,
  rowsById: (selected: readonly PlanSelection[], ids: readonly number[]) => Column<readonly (Row | null)[]>,
) {
  const load = loaderByArguments(read, (em, selected: readonly PlanSelection[], ids) =>
    byEntityManager(em)(rowsById(selected, ids)),
  );
  // The text by which equal selections share a loader is made once.
  return madeOnceFor(load);
}

function idTable(ids: readonly number[]) {
  return parts.selectFrom(numberedRows('asked', { id: [ids, 'int'] })).orderBy('asked.place');
}

function orNull<Row>(id: RawBuilder<number>, row: Column<Row | null>): Column<Row | null> {
  return { ...row, sql: parts.case().when(id, 'is not', null).then(row.sql).end() };
}

const { a, r } = byAlias({ a: 'agents', r: 'rounds' });

function byRound<Row extends { readonly roundId: number }>(
  read: Read,
  find: (em: SqlEntityManager, ids: readonly number[]) => Promise<readonly Row[]>,
) {
  return new DataLoader<number, readonly Row[]>(async (ids) => {
    const found = Map.groupBy(await read((em) => find(em, ids)), ({ roundId }) => roundId);
    return ids.map((id) => found.get(id) ?? []);
  });
}

function loaderByArguments<Args extends object, Value>(
  read: Read,
  load: (em: SqlEntityManager, args: Args, parents: readonly number[]) => Promise<readonly Value[]>,
) {
  const loaders = new Map<string, DataLoader<number, Value>>();
  return (args: Args): DataLoader<number, Value> => {
    const name = JSON.stringify(args);
    const known = loaders.get(name);
    if (known !== undefined) return known;
    // Async, so that refused arguments are the promise's error, not a thrown fault of the loader.
    const loader = new DataLoader<number, Value>(async (parents) => read((em) => load(em, args, parents)));
    loaders.set(name, loader);
    return loader;
  };
}
