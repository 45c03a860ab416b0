import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { rows } from '../reads/sql.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { inclusionProof } from './merkle.ts';
import { readLeaves } from './prediction-leaves.ts';
import { hashesIn, type TileReader } from './tiles.ts';

interface FoundLeaf {
  readonly roundId: number;
  readonly agentId: number;
  /** The round's. */
  readonly status: RoundStatus;
  readonly leaf: string;
}

/** The leaf of a stored prediction, in the log or not yet; null for another id. */
export async function leafOf(em: SqlEntityManager, id: number): Promise<FoundLeaf | null> {
  const [round] = await rows<Pick<FoundLeaf, 'roundId' | 'status'>>(em)`
    select r.id as "roundId", r.status from predictions p join rounds r on r.id = p.round_id where p.id = ${id}`;
  if (round === undefined) return null;
  const [found] = await readLeaves(em, { roundId: round.roundId, after: id - 1, limit: 1 });
  return found === undefined ? null : { ...round, agentId: found.agentId, leaf: found.leaf };
}

/** The proof of a leaf in the tree of the newest checkpoint. */
interface Proof {
  readonly index: number;
  readonly size: number;
  /** Base64 of the hashes from below. */
  readonly proof: readonly string[];
  /** A signed note. */
  readonly checkpoint: string;
}

/** Null for a prediction whose round has not closed, or closed before the log began. */
export async function proofOf(
  em: SqlEntityManager,
  { id, roundId }: { readonly id: number; readonly roundId: number },
): Promise<Proof | null> {
  const [closed] = await rows<{ first: number }>(em)`
    select index - entries as first from log_records where round_id = ${roundId} and kind = 'closed'`;
  if (closed === undefined) return null;
  const [before] = await rows<{ n: number }>(em)`
    select count(*) as n from predictions where round_id = ${roundId} and id < ${id}`;
  const { size, note } = await logState(em);
  if (before === undefined || note === null) return null;
  const index = closed.first + before.n;
  const proof = await inclusionProof(hashesIn(storedTiles(em)), index, size);
  return { index, size, proof: proof.map((hash) => hash.toString('base64')), checkpoint: note };
}

interface LogHead {
  readonly origin: string;
  readonly size: number;
  readonly note: string | null;
}

export async function logState(em: SqlEntityManager): Promise<LogHead> {
  const [state] = await rows<LogHead>(em)`select origin, size, note from log_state where id = 1`;
  if (state === undefined) throw new Error('log_state has no row');
  return state;
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
  const [tile] = await rows<{ hashes: Buffer }>(em)`
    select hashes from log_tiles where level = ${level} and index = ${index}`;
  if (tile === undefined) throw new Error(`The log has no tile ${index} of level ${level}`);
  return tile.hashes;
}
