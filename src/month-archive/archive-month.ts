import { join } from 'node:path';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DatabaseConnection } from '../database/connection.ts';
import { openOrm } from '../database/orm.ts';
import type { Read } from '../database/reads.ts';
import type { DB } from '../entities/tables.ts';
import { column } from '../export/columns.ts';
import { EXPORT_FORMATS } from '../export/formats.ts';
import type { ExportList } from '../export/export-list.ts';
import { EXPORT_LISTS } from '../export/lists.ts';
import { linesOf } from '../export/log-lines.ts';
import { rowReader } from '../export/row-stream.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { PREDICTION } from '../reads/plan/prediction.ts';
import { StartError } from '../rules/errors.ts';
import { DAY } from '../rules/hours.ts';
import { isDecided } from '../rules/round-states.ts';
import { cosignedCheckpoint } from '../transparency/stored-log.ts';
import { makeFolder, writeGzipped, writeManifestFile } from '../hashed-files.ts';
import { ARCHIVE_FILES, type ArchiveFile, type MonthManifest } from './month-archive.ts';

interface Rounds {
  readonly first: number;
  /** The first round behind them. */
  readonly until: number;
}

/** Amendments are possible until then. */
const SETTLED_MS = 7 * DAY;

/**
 * Writes a month that is over into a new folder, also beside a running service, which may drop it from then on
 * (`KEEP_MONTHS`). Nothing of it changes any more, so that no snapshot is needed. Throws a `StartError` for another month.
 */
export async function archiveMonth(
  connection: DatabaseConnection,
  { month, folder }: { readonly month: string; readonly folder: string },
  { version, now }: { readonly version: string; readonly now: Date },
): Promise<MonthManifest> {
  const orm = await openOrm(connection, 1);
  try {
    const newEm = (): SqlEntityManager => orm.em.fork();
    const rounds = await settledRounds(newEm(), month);
    await makeFolder(folder);
    const read: Read = (work) => work(newEm());
    const write = (file: ArchiveFile, lines: AsyncIterable<string>) =>
      writeGzipped(join(folder, ARCHIVE_FILES[file]), lines);
    const manifest: MonthManifest = {
      format: 1,
      version,
      month,
      first_round: rounds.first,
      last_round: rounds.until - 1,
      taken_at: now.toISOString(),
      checkpoint: await cosignedCheckpoint(newEm()),
      files: {
        predictions: await write('predictions', exported(read, 'predictions', rounds)),
        rationales: await write('rationales', exported(read, 'rationales', rounds)),
        log: await write('log', logged(read, rounds)),
      },
    };
    // A drop meanwhile left the files without its rows.
    await settledRounds(newEm(), month);
    await writeManifestFile(folder, manifest);
    const months = newEm().getKysely<DB>().updateTable('months');
    await months.set({ archived_at: now }).where('month', '=', month).where('archived_at', 'is', null).execute();
    return manifest;
  } finally {
    await orm.close(true);
  }
}

const MONTHS = parts.fn('to_regclass', [parts.val('months')]);
/** Null without the table. */
const MAY_WRITE = parts.fn<boolean | null>('has_column_privilege', [
  MONTHS,
  parts.val('archived_at'),
  parts.val('update'),
]);

/** Throws a `StartError` unless the month is in the database, and nothing of it can change. */
async function settledRounds(em: SqlEntityManager, month: string): Promise<Rounds> {
  const tables = em.getKysely<DB>();
  const { mayWrite } = await tables.selectNoFrom(MAY_WRITE.as('mayWrite')).executeTakeFirstOrThrow();
  if (mayWrite === null)
    throw new StartError('The database must be one of this version of the service, but has no months: start it once.');
  if (!mayWrite)
    throw new StartError('The database role must have the right to update months: give the owner’s DATABASE_URL.');
  const months = await tables
    .selectFrom('months')
    .selectAll()
    .where('dropped_at', 'is', null)
    .orderBy('month')
    .execute();
  const found = months.find((one) => one.month === month);
  if (found === undefined) {
    const known = months.map((one) => one.month).join(', ') || 'none yet';
    throw new StartError(`The month must be one of the database: ${known} (got ${month}).`);
  }
  const { first_round: first, until_round: until } = found;
  const last = await roundsIn(em, { first, until })
    .select(['status', 'decided_at as decidedAt'])
    .orderBy('decided_at', (by) => by.desc().nullsFirst())
    .limit(1)
    .executeTakeFirst();
  const begun = await tables
    .selectFrom('rounds')
    .select(['id', 'start_time as startTime'])
    // Not a void one, which may be of a coming hour.
    .where('status', 'in', ['active', 'resolving', 'resolved'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const isOver = begun !== undefined && begun.id >= until && (last === undefined || isDecided(last.status));
  if (!isOver) throw new StartError(`The month ${month} must be over, and all of its rounds decided.`);
  const decidedAt = last?.decidedAt ?? new Date(0);
  if (begun.startTime.getTime() - decidedAt.getTime() > SETTLED_MS) return { first, until };
  throw new StartError(
    `The rounds of ${month} must have been decided for 7 days, in which they may be amended (the last one was ${decidedAt.toISOString()}).`,
  );
}

function roundsIn(em: SqlEntityManager, { first, until }: Rounds) {
  return em.getKysely<DB>().selectFrom('rounds').where('id', '>=', first).where('id', '<', until);
}

const [NDJSON] = EXPORT_FORMATS;

/** A check of the log needs it. */
const SET_AT = column('set_at', 'instant', PREDICTION.columns.setAt, 'When a standing prediction was set; else null.');

const { p } = byAlias({ p: 'predictions' });

async function* exported(read: Read, name: string, { first, until }: Rounds): AsyncGenerator<string> {
  const found = EXPORT_LISTS.open.find((one) => one.name === name);
  if (found === undefined || NDJSON === undefined) throw new Error(`There is no export of ${name}`);
  const list = within(found, { first, until });
  for await (const rows of rowReader(read, 1)({ list, condition: parts.lit(true), after: 0 }))
    yield rows.map((row) => NDJSON.line(list.columns, row)).join('');
}

/** The list of these rounds: also the ids that it is read by are theirs. */
function within(list: ExportList, { first, until }: Rounds): ExportList {
  const ids = parts
    .selectFrom('predictions')
    .select('predictions.id')
    .where('round_id', '>=', first)
    .where('round_id', '<', until);
  const rows = list.rows.where(parts.and([parts(p('round_id'), '>=', first), parts(p('round_id'), '<', until)]));
  const columns = list.name === 'predictions' ? [...list.columns, SET_AT] : list.columns;
  return { ...list, columns, rows, madeOf: { ...list.madeOf, ids } };
}

async function* logged(read: Read, rounds: Rounds): AsyncGenerator<string> {
  const found = await read((em) => roundsIn(em, rounds).select('id').orderBy('id').execute());
  for (const { id } of found)
    for await (const lines of linesOf(read, { id, isOver: true })) yield lines.replaceAll(/^(?=.)/gm, `${id}\t`);
}
