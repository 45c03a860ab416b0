import { defineEntity, p } from '@mikro-orm/postgresql';

import { appendOnly } from './table-parts.ts';

/** Up to 256 hashes of the log's tree, 32 bytes each (C2SP tlog-tiles). A tile that is full never changes. */
export const LogTile = defineEntity({
  name: 'LogTile',
  tableName: 'log_tiles',
  properties: {
    level: p.smallint().primary().autoincrement(false),
    index: p.bigint('number').primary().autoincrement(false),
    hashes: p.blob().$type<Buffer>(),
  },
});

/** A leaf other than a prediction's, whose leaves are made again from its row. */
export const LogRecord = defineEntity({
  name: 'LogRecord',
  tableName: 'log_records',
  properties: {
    /** The leaf's index in the log. */
    index: p.bigint('number').primary().autoincrement(false),
    kind: p.enum(['epoch', 'closed', 'decided', 'amended', 'forecast', 'frozen']),
    roundId: p.integer().nullable(),
    /** A frozen board's period. */
    period: p.string().length(10).nullable(),
    /** The number of leaves of predictions directly before a `closed` one. */
    entries: p.integer().nullable(),
    leaf: p.text(),
    /** Hexadecimal; public once the round is over. */
    salt: p.string().length(32).nullable(),
    /** The signed checkpoint of the commit; null unless this is its last leaf. */
    note: p.text().nullable(),
    at: p.datetime(3),
  },
  triggers: [appendOnly('log_records')],
  checks: [{ name: 'log_records_entries_check', expression: "(kind = 'closed') = (entries is not null)" }],
  indexes: [{ name: 'log_records_round', properties: ['roundId', 'index'] }],
});

/** The one row that each append locks. */
export const LogState = defineEntity({
  name: 'LogState',
  tableName: 'log_state',
  properties: {
    id: p.smallint().primary().autoincrement(false),
    /** The log's name in its checkpoints. */
    origin: p.text(),
    /** From 1; after a restore its time, in seconds since 2026. */
    epoch: p.integer(),
    /** The epoch of the newest leaf of that kind; 0 before the first. */
    loggedEpoch: p.integer(),
    size: p.bigint('number'),
    /** The newest signed checkpoint; null before the first. */
    note: p.text().nullable(),
    at: p.datetime(3).nullable(),
  },
  checks: [{ name: 'log_state_one_row_check', expression: 'id = 1' }],
});

/** The digest of words that were deleted, so that the leaf of their prediction can be made again. */
export const ErasedWords = defineEntity({
  name: 'ErasedWords',
  tableName: 'erased_words',
  properties: {
    roundId: p.integer().primary().autoincrement(false),
    agentId: p.integer().primary().autoincrement(false),
    digest: p.string().length(64),
  },
  triggers: [appendOnly('erased_words')],
});

/** A witness' cosignature of the checkpoint of this size. */
export const LogCosignature = defineEntity({
  name: 'LogCosignature',
  tableName: 'log_cosignatures',
  properties: {
    size: p.bigint('number').primary().autoincrement(false),
    /** The name of its key. */
    witness: p.text().primary(),
    /** The signature's line in the note, with its line feed. */
    line: p.text(),
  },
  triggers: [appendOnly('log_cosignatures')],
  indexes: [{ name: 'log_cosignatures_witness', properties: ['witness', 'size'] }],
});
