import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DB } from '../entities/tables.ts';
import type { TileReader } from './tiles.ts';

/** The log's name, its size, and its newest signed checkpoint, null before the first. */
export function logState(em: SqlEntityManager) {
  const state = em.getKysely<DB>().selectFrom('log_state').where('id', '=', 1);
  return state.select(['origin', 'size', 'note']).executeTakeFirstOrThrow();
}

/** The newest checkpoint with the cosignatures of witnesses; null before the first. */
export async function cosignedCheckpoint(em: SqlEntityManager): Promise<string | null> {
  const { size, note } = await logState(em);
  const cosignatures = em.getKysely<DB>().selectFrom('log_cosignatures').where('size', '=', size);
  const lines = await cosignatures.select('line').orderBy('witness').execute();
  return note === null ? null : note + lines.map(({ line }) => line).join('');
}

interface RecordPage {
  /** Null: the records of no round. */
  readonly roundId: number | null;
  /** The index of the last record before the page; -1 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** The records of a round, or of none, in the order of the log. */
export function readRecords(em: SqlEntityManager, { roundId, after, limit }: RecordPage) {
  const records = em.getKysely<DB>().selectFrom('log_records').select(['index', 'entries', 'leaf', 'salt']);
  const own = records.where('round_id', roundId === null ? 'is' : '=', roundId).where('index', '>', after);
  return own.orderBy('index').limit(limit).execute();
}

/** Reads each stored tile once. A tile that grew meanwhile still begins with its former hashes. */
export function storedTiles(em: SqlEntityManager): TileReader {
  const kept = new Map<string, Promise<Buffer>>();
  return ({ level, index }) => {
    const name = `${level} ${index}`;
    const tile = kept.get(name) ?? readTile(em, level, index);
    kept.set(name, tile);
    return tile;
  };
}

async function readTile(em: SqlEntityManager, level: number, index: number): Promise<Buffer> {
  const tiles = em.getKysely<DB>().selectFrom('log_tiles').where('level', '=', level).where('index', '=', index);
  const tile = await tiles.select('hashes').executeTakeFirst();
  if (tile === undefined) throw new Error(`The log has no tile ${index} of level ${level}`);
  return tile.hashes;
}
