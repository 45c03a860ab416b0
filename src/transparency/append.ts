import { sign } from 'node:crypto';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { insertRows } from '../entities/given-rows.ts';
import type { DB } from '../entities/tables.ts';
import { rows } from '../reads/sql.ts';
import { type RecordKind, recordLeaf } from './leaves.ts';
import { HASH_BYTES, leafHash, rangeRoot, rootOf } from './merkle.ts';
import { checkpointText, noteOf, publicBytes, signatureOf } from './notes.ts';
import { leafPages } from './prediction-leaves.ts';
import { signingKeys } from './service-keys.ts';
import { storedTiles } from './stored-log.ts';
import { hashesIn, lastTile, TILE_HASHES, type TileReader } from './tiles.ts';

export interface LogDeps {
  /** The pepper of the service's keys, which sign checkpoints. */
  readonly keyPepper: string | undefined;
  /** Called with errors that stop nothing, such as the reason for which a checkpoint lacks a signature. */
  readonly report: (error: unknown) => void;
}

/** A leaf other than a prediction's, with the columns of `log_records` that find it. */
interface NewRecord {
  readonly kind: RecordKind;
  readonly leaf: string;
  readonly roundId?: number;
  readonly period?: string;
  readonly salt?: string;
  readonly entries?: number;
}

/**
 * Appends a leaf in the transaction that makes it true; returns the signed checkpoint of the tree with
 * it. The log stays locked until the commit: call it after the locks of other rows, and before the first change of
 * `platform`. A service key that is missing or cannot be opened is reported; its signature is then missing.
 */
export function appendRecord(
  transaction: SqlEntityManager,
  deps: LogDeps,
  { at, ...record }: NewRecord & { readonly at: Date },
): Promise<string> {
  return append(transaction, deps, at, async () => record);
}

/**
 * Appends the leaves of a round's predictions, then the round's own, as `appendRecord`: when it closes, or an operator ends it
 * before. The caller holds the lock of its row.
 */
export async function appendRound(
  transaction: SqlEntityManager,
  deps: LogDeps,
  { roundId, at }: { readonly roundId: number; readonly at: Date },
): Promise<string> {
  const round = transaction.getKysely<DB>().selectFrom('rounds').where('id', '=', roundId);
  const { startTime, choices, ...question } = await round
    .select(['start_time as startTime', 'question_type as type', 'question', 'choices', 'subject', 'operator'])
    .select(['threshold_pct', 'n', 'rules_version as rules'])
    .executeTakeFirstOrThrow();
  const values = { ...question, round: roundId, start: startTime.getTime(), choices: choices.join(',') };
  return append(transaction, deps, at, async (tree) => {
    const before = tree.size;
    for await (const hashes of leafPages(transaction, roundId)) await tree.add(hashes);
    const entries = tree.size - before;
    const root = (await tree.root(before)).toString('base64');
    return { kind: 'closed', roundId, entries, leaf: recordLeaf('closed', { ...values, entries, root }) };
  });
}

/** Locks the log until the transaction ends, where `platform` changes before the leaf can be made. */
export async function lockLog(transaction: SqlEntityManager) {
  const state = transaction.getKysely<DB>().selectFrom('log_state').where('id', '=', 1).selectAll();
  return state.forUpdate().executeTakeFirstOrThrow();
}

async function append(
  transaction: SqlEntityManager,
  deps: LogDeps,
  at: Date,
  write: (tree: GrowingTree) => Promise<NewRecord>,
): Promise<string> {
  const { origin, epoch, logged_epoch: loggedEpoch, size } = await lockLog(transaction);
  const tree = await openTree(transaction, size);
  const records: (NewRecord & { readonly index: number })[] = [];
  const put = async (record: NewRecord): Promise<void> => {
    records.push({ index: tree.size, ...record });
    await tree.add(leafHash(record.leaf));
  };
  if (loggedEpoch !== epoch) await put({ kind: 'epoch', leaf: recordLeaf('epoch', { epoch }) });
  await put(await write(tree));
  const text = checkpointText({ origin, epoch, size: tree.size, root: await tree.root() });
  const note = await signedNote(transaction, deps, { origin, text });
  const rowsOf = records.map(
    ({ index, kind, leaf, roundId = null, period = null, entries = null, salt = null }, place) => {
      const found = { index, kind, round_id: roundId, period, entries, leaf, salt };
      return { ...found, note: place === records.length - 1 ? note : null, at };
    },
  );
  await insertRows(transaction, 'log_records', rowsOf);
  const state = transaction.getKysely<DB>().updateTable('log_state').where('id', '=', 1);
  await state.set({ size: tree.size, logged_epoch: epoch, note, at }).execute();
  return note;
}

async function signedNote(
  transaction: SqlEntityManager,
  { keyPepper, report }: LogDeps,
  { origin, text }: { readonly origin: string; readonly text: string },
): Promise<string> {
  const keys = await signingKeys(transaction, keyPepper, report);
  if (keys.length === 0)
    report(new Error('A checkpoint of the log has no signature: the service has no key that signs.'));
  const signatures = keys.map((key) =>
    signatureOf({ name: origin, publicKey: publicBytes(key) }, (bytes) => sign(null, bytes, key), text),
  );
  return noteOf({ text, signatures });
}

type GrowingTree = Awaited<ReturnType<typeof openTree>>;

/** The levels of tiles of any tree. */
const LEVELS = 7;
const TILE_BYTES = TILE_HASHES * HASH_BYTES;

/** The tree of a locked log. */
async function openTree(transaction: SqlEntityManager, before: number) {
  // The last tile of each level, empty where it is full: the tree's root follows from these alone.
  const edges: Buffer[] = [];
  const last = Array.from({ length: LEVELS }, (_, level) => lastTile(level, before));
  const tiles = transaction.getKysely<DB>().selectFrom('log_tiles').select(['level', 'hashes']);
  const found = await tiles.where((of) => of.or(last.map((place) => of.and(place)))).execute();
  for (const { level, hashes } of found) edges[level] = hashes;
  const edge = (level: number): Buffer => edges[level] ?? Buffer.of();
  const extend = (level: number, count: number, hashes: Buffer): readonly Promise<unknown>[] => {
    const bytes = Buffer.concat([edge(level), hashes]);
    const first = Math.floor(count / TILE_HASHES);
    const whole = Math.floor(bytes.length / TILE_BYTES);
    const full = Array.from({ length: whole }, (_, n) => bytes.subarray(n * TILE_BYTES, (n + 1) * TILE_BYTES));
    const write = rows(transaction)`
      insert into log_tiles (level, index, hashes)
      select ${level}, ${first} + n, substring(${bytes}::bytea from n * ${TILE_BYTES} + 1 for ${TILE_BYTES})
      from generate_series(0, ${Math.ceil(bytes.length / TILE_BYTES) - 1}) n
      on conflict (level, index) do update set hashes = excluded.hashes`;
    edges[level] = bytes.subarray(whole * TILE_BYTES);
    return whole > 0 ? [write, ...extend(level + 1, first, Buffer.concat(full.map(rootOf)))] : [write];
  };
  let size = before;
  let written: Promise<unknown> = Promise.resolve();
  return {
    get size(): number {
      return size;
    },
    /** Appends the hashes of leaves. */
    async add(hashes: Buffer): Promise<void> {
      await written;
      written = Promise.all(extend(0, size, hashes));
      // Awaited later: a lost connection must not be an unhandled rejection until then.
      written.catch(() => null);
      size += hashes.length / HASH_BYTES;
    },
    /** The root over the leaves from an index, of the whole tree by default. */
    async root(from = 0): Promise<Buffer> {
      await written;
      const stored = storedTiles(transaction);
      const read: TileReader = async (place, hashes) =>
        place.index === lastTile(place.level, size).index ? edge(place.level) : stored(place, hashes);
      return rangeRoot(hashesIn(read), from, size);
    },
  };
}
