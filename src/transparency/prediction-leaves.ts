import { setImmediate } from 'node:timers/promises';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { parts } from '../reads/plan/parts.ts';
import { rows } from '../reads/sql.ts';
import { HASH_BYTES } from './merkle.ts';

/* The leaves of predictions `p`, made in SQL of their rows: a round may have a million. */

/** `wordsDigest`, of a text for each word. */
const WORDS = sql<string>`encode(sha256(convert_to(coalesce(w.rationale, ''), 'UTF8') || '\\x00'::bytea
  || convert_to(coalesce(w.model, ''), 'UTF8')), 'hex')`;

/** The text of a prediction's leaf in a round: `predictionLeaf`. A round without words needs no lookup for each row. */
function leafIn(roundId: number) {
  return sql<string>`${`hourcast prediction 1\n${roundId} `}::text || p.agent_id || ' ' || p.prediction || ' ' || p.confidence
    || ' ' || (date_part('epoch', p.submitted_at) * 1000)::bigint || case when p.standing then ' 1 ' else ' 0 ' end
    || case when (select exists (select from rationales where round_id = ${roundId}::int)) or
      (select exists (select from erased_words where round_id = ${roundId}::int)) then coalesce(
        (select ${WORDS} from rationales w where w.round_id = p.round_id and w.agent_id = p.agent_id),
        (select e.digest from erased_words e where e.round_id = p.round_id and e.agent_id = p.agent_id), '-')
      else '-' end || ${'\n'}::text`;
}

/** A part of a round's leaves, in the order of predictions' ids. */
interface LeafPage {
  readonly roundId: number;
  /** The id of the last prediction before the page; 0 for the first page. */
  readonly after: number;
  readonly limit: number;
}

/** The leaves of a page, as texts, with the ids of their predictions and agents. */
export function readLeaves(em: SqlEntityManager, { roundId, after, limit }: LeafPage) {
  const predictions = em.getKysely<DB>().selectFrom('predictions as p').where('p.round_id', '=', roundId);
  const leaves = predictions.select(['p.id', 'p.agent_id as agentId', leafIn(roundId).as('leaf')]);
  return leaves.where('p.id', '>', after).orderBy('p.id').limit(limit).execute();
}

/** Sending a statement costs as much as some 4,000 leaves. */
const PAGE = 65_536;

/** The hashes of a round's leaves, page by page in a transaction; the next page is read while the caller works. */
export async function* leafPages(
  transaction: SqlEntityManager,
  roundId: number,
  { withStanding = true } = {},
): AsyncGenerator<Buffer> {
  // The planner has no statistics of the round yet: it would sort all of its predictions for each page.
  await sql`set local enable_sort = off; set local enable_bitmapscan = off`.execute(transaction.getKysely());
  const read = (after: number) => readHashes(transaction, { roundId, after, limit: PAGE, withStanding });
  let page = await read(0);
  while (page !== null) {
    const next = page.hashes.length < PAGE * HASH_BYTES ? null : read(page.last);
    // Awaited later: a lost connection must not be an unhandled rejection until then.
    next?.catch(() => null);
    // The statement is sent before the caller blocks this thread with hashing.
    await setImmediate();
    yield page.hashes;
    page = await next;
  }
}

/** The hashes of a page's leaves, one after the other, and the id of its last prediction; null for an empty page. */
async function readHashes(
  em: SqlEntityManager,
  { roundId, after, limit, withStanding }: LeafPage & { readonly withStanding: boolean },
) {
  const [page] = await rows<{ hashes: Buffer | null; last: number | null }>(em)`
    select string_agg(hash, ''::bytea order by id) as hashes, max(id) as last from (
      select p.id, sha256('\\x00'::bytea || convert_to(${leafIn(roundId)}, 'UTF8')) as hash
      from (select * from predictions where round_id = ${roundId} and id > ${after}
        and (${withStanding} or not standing) order by id limit ${limit}) p) hashed`;
  const { hashes = null, last = null } = page ?? {};
  return hashes === null || last === null ? null : { hashes, last };
}

/** Stores the digests of an agent's words before these are deleted. */
export async function keepDigests(transaction: SqlEntityManager, agentId: number): Promise<void> {
  const words = parts.selectFrom('rationales as w').where('w.agent_id', '=', agentId);
  await transaction
    .getKysely<DB>()
    .insertInto('erased_words')
    .columns(['round_id', 'agent_id', 'digest'])
    .expression(words.select(['w.round_id', 'w.agent_id', WORDS.as('digest')]))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
