import { sign } from 'node:crypto';

import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { EXPERTS } from '../../src/rules/forecast/mixture.ts';
import { HASH_BYTES, leafHash, rangeRoot, rootOf, subtreesOf } from '../../src/transparency/merkle.ts';
import { checkpointText, noteOf, parsedCheckpoint, publicBytes, signatureOf } from '../../src/transparency/notes.ts';
import { signingKeys } from '../../src/transparency/service-keys.ts';
import { TILE_HASHES } from '../../src/transparency/tiles.ts';

/** Statements of a superuser in a round that was closed; the round and its neighbours as numbers. */
interface Manipulation {
  readonly name: string;
  readonly statements: (round: number) => readonly string[];
}

const firstOf = (round: number): string => `(select min(id) from predictions where round_id = ${round})`;
const lastOf = (round: number): string => `(select max(id) from predictions where round_id = ${round})`;
/** An agent that has no prediction in the round. */
const absentFrom = (round: number): string =>
  `(select a.id from agents a where not exists (select from predictions q where q.round_id = ${round} and q.agent_id = a.id) limit 1)`;

/** Each in rounds whose predictions neither all agents nor fewer than two gave. */
export const MANIPULATIONS: readonly Manipulation[] = [
  {
    name: 'add a prediction',
    statements: (round) => [
      `insert into predictions (round_id, agent_id, id, prediction, confidence, submitted_at)
        select round_id, ${absentFrom(round)}, (select max(id) + 1 from predictions), prediction, 99, submitted_at
        from predictions where id = ${firstOf(round)}`,
    ],
  },
  { name: 'remove a prediction', statements: (round) => [`delete from predictions where id = ${lastOf(round)}`] },
  {
    name: 'move a prediction to another agent',
    statements: (round) => [`update predictions set agent_id = ${absentFrom(round)} where id = ${firstOf(round)}`],
  },
  {
    name: 're-time a prediction by a millisecond',
    statements: (round) => [
      `update predictions set submitted_at = submitted_at - interval '1 ms' where id = ${lastOf(round)}`,
    ],
  },
  {
    name: 'add words to a prediction',
    statements: (round) => [
      `insert into rationales (round_id, agent_id, rationale)
        select round_id, agent_id, 'I knew' from predictions where id = ${firstOf(round)}`,
    ],
  },
  {
    name: 'change a confidence',
    statements: (round) => [
      `update predictions set confidence = 100 - confidence + confidence / 50 where id = ${lastOf(round)}`,
    ],
  },
  {
    name: 'swap two predictions',
    statements: (round) => [
      `update predictions set id = -id where id in (${firstOf(round)}, ${lastOf(round)})`,
      `update predictions set id = id - (select sum(id) from predictions where id < 0) where id < 0`,
    ],
  },
  {
    name: 'change an outcome',
    statements: (round) => [
      `update rounds set outcome = (select c from jsonb_array_elements_text(choices) c where c <> outcome limit 1)
        where id = ${round}`,
    ],
  },
  {
    name: 'change a score',
    statements: (round) => [`update scores set score = score + 1 where round_id = ${round} and place = 1`],
  },
  {
    name: 'change a place',
    statements: (round) => [
      `update scores set arena_points = arena_points + 1 where round_id = ${round} and place = 2`,
    ],
  },
  {
    name: 'change a candle of the evidence',
    statements: (round) => [
      `update candles set close = close || '1' where round_id = ${round} and asset = (select min(asset) from candles where round_id = ${round})`,
    ],
  },
  {
    name: 'change a threshold or question',
    statements: (round) => [`update rounds set question = question || '?' where id = ${round}`],
  },
  {
    name: 'change a record of the log',
    statements: (round) => [
      `update log_records set leaf = replace(leaf, 'rules ', 'rules 9') where round_id = ${round} and kind = 'closed'`,
    ],
  },
  {
    name: 'remove the decision from the log',
    statements: (round) => [`delete from log_records where round_id = ${round} and kind = 'decided'`],
  },
  {
    name: 'swap decisions of the log',
    statements: (round) => [
      `update log_records set round_id = case round_id when ${round} then other else ${round} end
        from (select min(round_id) as other from log_records where kind = 'decided' and round_id > ${round}) o
        where kind = 'decided' and round_id in (${round}, other)`,
    ],
  },
  {
    name: 'add a forecast',
    statements: (round) => [
      `insert into round_forecasts (round_id, minute, entries, recorded_at, decided_until, unpriced, probabilities, said, weights)
        select id, 30, 1, start_time + interval '30 min', start_time, '{}', array_fill(1.0 / k, array[k]),
          array_fill(1.0 / k, array[k * ${EXPERTS.length}]), array_fill(1.0 / ${EXPERTS.length}, array[${EXPERTS.length}])
        from (select *, jsonb_array_length(choices) as k from rounds where id = ${round}) r`,
    ],
  },
  {
    name: 'change the score of a frozen board',
    statements: (round) => [
      `update archives set rankings = jsonb_set(rankings, '{0,points}', to_jsonb((rankings -> 0 ->> 'points')::int + ${round}))
        where period = (select min(period) from archives)`,
    ],
  },
  {
    name: 'change a hash of the tree',
    statements: (round) => [
      `update log_tiles set hashes = set_byte(hashes, ${round}, 255 - get_byte(hashes, ${round})) where level = 0 and index = 0`,
    ],
  },
];

/**
 * Makes a round's last prediction another one, and the whole log anew from there on: tiles, root, the round's own record and
 * a checkpoint with the service's signature. Nothing contradicts it but an earlier checkpoint.
 */
export async function rewriteFrom(em: SqlEntityManager, round: number): Promise<void> {
  const run = <Row extends object>(text: string, values: readonly unknown[] = []) =>
    em.getConnection().execute<Row[]>(text, [...values], 'all', em.getTransactionContext());
  await run(`update predictions set confidence = (confidence + 7) % 100 where id = ${lastOf(round)}`);
  const leaves = new Map<number, string>();
  const records = await run<{ index: string; leaf: string; kind: string; entries: number | null; round_id: number }>(
    'select index, leaf, kind, entries, round_id from log_records order by index',
  );
  for (const record of records) {
    const index = Number(record.index);
    const { entries } = record;
    let { leaf } = record;
    if (entries !== null) {
      const own = await run<{ leaf: string }>(
        `select 'hourcast prediction 1' || chr(10) || round_id || ' ' || agent_id || ' ' || prediction || ' ' || confidence || ' '
          || (extract(epoch from submitted_at) * 1000)::bigint || ' ' || standing::int || ' -' || chr(10) as leaf
          from predictions where round_id = ${record.round_id} order by id`,
      );
      for (const [at, one] of own.entries()) leaves.set(index - entries + at, one.leaf);
      const first = index - entries;
      const known = Buffer.concat([Buffer.alloc(first * HASH_BYTES), ...own.map((one) => leafHash(one.leaf))]);
      const root = await rangeRoot(subtreesOf(known), first, index);
      leaf = leaf.replace(/\nroot .*\n/, `\nroot ${root.toString('base64')}\n`);
      await run('update log_records set leaf = ? where index = ?', [leaf, index]);
    }
    leaves.set(index, leaf);
  }
  const hashes = [...leaves].toSorted(([one], [other]) => one - other).map(([, leaf]) => leafHash(leaf));
  await run('delete from log_tiles');
  for (let [level, row] = [0, hashes]; row.length > 0; level += 1) {
    const tiles = Array.from({ length: Math.ceil(row.length / TILE_HASHES) }, (_, index) =>
      Buffer.concat(row.slice(index * TILE_HASHES, (index + 1) * TILE_HASHES)),
    );
    for (const [index, bytes] of tiles.entries())
      await run('insert into log_tiles (level, index, hashes) values (?, ?, ?)', [level, index, bytes]);
    row = tiles.filter(({ length }) => length === TILE_HASHES * 32).map(rootOf);
  }
  const [state] = await run<{ note: string }>('select note from log_state');
  const former = parsedCheckpoint(state?.note ?? '');
  if (former === null) throw new Error('The log has no checkpoint');
  const text = checkpointText({ ...former, root: rootOf(Buffer.concat(hashes)) });
  const signatures = (await signingKeys(em, undefined, () => {})).map((key) =>
    signatureOf({ name: former.origin, publicKey: publicBytes(key) }, (bytes) => sign(null, bytes, key), text),
  );
  await run('update log_state set note = ?', [noteOf({ text, signatures })]);
}
