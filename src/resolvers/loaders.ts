import DataLoader from 'dataloader';
import type { RawBuilder } from 'kysely';

import type { Read } from '../database/reads.ts';
import { type CalibrationRequest, calibrationsOf } from '../reads/calibration.ts';
import { storedRecords } from '../reads/forecast-record.ts';
import { recordedForecasts } from '../reads/forecasts.ts';
import { decidedCounts, decidedMinutes } from '../reads/crowd.ts';
import { historiesOf, type HistoryRequest } from '../reads/histories.ts';
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
    quotes: oneByRound((ids) => read((em) => storedQuotes(em, ids))),
    quotedPoints: oneByRound((ids) => read((em) => quotedPoints(em, ids))),
    decidedCrowd: manyByRound((ids) => read((em) => decidedCounts(em, ids))),
    openCrowd: new DataLoader(openCrowds, { cacheKeyFn: ({ id, totalEntries }) => `${id} ${totalEntries}` }),
    decidedMinutes: manyByRound((ids) => read((em) => decidedMinutes(em, ids))),
    forecasts: manyByRound((ids) => read((em) => recordedForecasts(em, ids))),
    forecastRecord: new DataLoader((kinds: readonly RecordKind[]) => read((em) => storedRecords(em, kinds))),
    calibration: loaderByArguments((asked: CalibrationRequest, agents) =>
      read((em) => calibrationsOf(em, asked, agents)),
    ),
    history: loaderByArguments((asked: HistoryRequest, agents) => read((em) => historiesOf(em, asked, agents))),
  };
}

/** By id; null without a row. One loader per selection: variables give each execution a new one. */
type RowLoader<Row> = LoaderByArguments<readonly PlanSelection[], Row | null>;

type RowsById<Row> = (selected: readonly PlanSelection[], ids: readonly number[]) => Column<readonly (Row | null)[]>;

function rowLoader<Row>(read: Read, rowsById: RowsById<Row>): RowLoader<Row> {
  const load: RowLoader<Row> = loaderByArguments((selected, ids) =>
    read((em) => byEntityManager(em)(rowsById(selected, ids))),
  );
  // The SQL texts are made once each.
  const same = new WeakMap<readonly PlanSelection[], DataLoader<number, Row | null>>();
  return (selected) => {
    const loader = same.get(selected) ?? load(selected);
    same.set(selected, loader);
    return loader;
  };
}

function idTable(ids: readonly number[]) {
  return parts.selectFrom(numberedRows('asked', { id: [ids, 'int'] })).orderBy('asked.place');
}

function orNull<Row>(id: RawBuilder<number>, row: Column<Row | null>): Column<Row | null> {
  return { ...row, sql: parts.case().when(id, 'is not', null).then(row.sql).end() };
}

const { a, r } = byAlias({ a: 'agents', r: 'rounds' });

function manyByRound<Row extends { readonly roundId: number }>(
  find: (ids: readonly number[]) => Promise<readonly Row[]>,
) {
  return new DataLoader<number, readonly Row[]>(async (ids) => {
    const found = Map.groupBy(await find(ids), ({ roundId }) => roundId);
    return ids.map((id) => found.get(id) ?? []);
  });
}

function oneByRound<Row extends { readonly roundId: number }>(
  find: (ids: readonly number[]) => Promise<readonly Row[]>,
) {
  return new DataLoader<number, Row | undefined>(async (ids) => {
    const found = new Map((await find(ids)).map((row) => [row.roundId, row]));
    return ids.map((id) => found.get(id));
  });
}

type LoaderByArguments<Args, Value> = (args: Args) => DataLoader<number, Value>;

function loaderByArguments<Args extends object, Value>(
  load: (args: Args, parents: readonly number[]) => Promise<readonly Value[]>,
): LoaderByArguments<Args, Value> {
  const loaders = new Map<string, DataLoader<number, Value>>();
  return (args) => {
    const name = JSON.stringify(args);
    const known = loaders.get(name);
    if (known !== undefined) return known;
    // Async, so that refused arguments are the promise's error, not a thrown fault of the loader.
    const loader = new DataLoader<number, Value>(async (parents) => load(args, parents));
    loaders.set(name, loader);
    return loader;
  };
}
