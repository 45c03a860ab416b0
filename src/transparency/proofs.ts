import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { DB } from '../entities/tables.ts';
import { inclusionProof } from './merkle.ts';
import { readLeaves } from './prediction-leaves.ts';
import { logState, storedTiles } from './stored-log.ts';
import { hashesIn } from './tiles.ts';

/** The leaf of a stored prediction, in the log or not yet, and its round's status; null for another id. */
export async function leafOf(em: SqlEntityManager, id: number) {
  const rounds = em.getKysely<DB>().selectFrom('predictions as p').innerJoin('rounds as r', 'r.id', 'p.round_id');
  const round = await rounds.select(['r.id as roundId', 'r.status']).where('p.id', '=', id).executeTakeFirst();
  if (round === undefined) return null;
  const [found] = await readLeaves(em, { roundId: round.roundId, after: id - 1, limit: 1 });
  return found === undefined ? null : { ...round, agentId: found.agentId, leaf: found.leaf };
}

/**
 * A leaf's index, and its proof in the tree of the newest checkpoint: the tree's size, the hashes from below in base64, and
 * the checkpoint as a signed note. Null for a prediction whose round has not closed, or closed before the log began.
 */
export async function proofOf(
  em: SqlEntityManager,
  { id, roundId }: { readonly id: number; readonly roundId: number },
) {
  const tables = em.getKysely<DB>();
  const closed = await tables
    .selectFrom('log_records')
    .select(['index', 'entries'])
    .where('round_id', '=', roundId)
    .where('kind', '=', 'closed')
    .executeTakeFirst();
  const { size, note } = await logState(em);
  if (closed === undefined || note === null) return null;
  const before = tables.selectFrom('predictions').where('round_id', '=', roundId).where('id', '<', id);
  const { n } = await before.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
  const index = closed.index - (closed.entries ?? 0) + n;
  const proof = await inclusionProof(hashesIn(storedTiles(em)), index, size);
  return { index, size, proof: proof.map((hash) => hash.toString('base64')), checkpoint: note };
}
