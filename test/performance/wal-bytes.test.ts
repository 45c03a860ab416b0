import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { predict, type Player, registerMany } from '../support/agents.ts';
import { startTestCluster } from '../support/cluster.ts';
import { shared, sharedService } from '../support/shared.ts';

/*
 * What PostgreSQL has to write and send to a standby for a prediction: bytes of WAL, without the images of whole pages
 * that follow a checkpoint, which depend on when that was. The server is the suite's own: nobody else writes to it.
 */

const GROUP = 64;
const FIELD = 1_000;
/**
 * A tenth to a quarter more than was found: 383 to 471 by how many groups they come in; 2,170 of which 350 are the sums behind
 * intervals, edge and luck of four windows, and others the indexes of agents by points and of an agent's rounds; with the sums by
 * kind, which follow, 3,560; and 296, to
 * which a third index would add 70.
 */
const SUBMISSION_BYTES = 560;
const RESOLUTION_BYTES = 3_900;
const SCORE_BYTES = 330;

const cluster = shared(async (closing) => {
  const opened = await startTestCluster();
  closing.defer(() => opened.dispose());
  return opened;
});
const service = sharedService(() => ({ database: { connection: cluster.template, drop: async () => {} } }));
let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'counted', GROUP);
});

async function walDuring(work: () => Promise<unknown>): Promise<number> {
  const database = service.newEm().getKysely();
  const { rows: before } = await sql<{ at: string }>`select pg_current_wal_insert_lsn() as at`.execute(database);
  await work();
  const { rows } = await sql<{
    bytes: number;
  }>`select (pg_current_wal_insert_lsn() - ${before[0]?.at}::pg_lsn)::int as bytes`.execute(database);
  return rows[0]?.bytes ?? Number.NaN;
}

test(`a submission writes at most ${SUBMISSION_BYTES} bytes`, async () => {
  const bytes = await walDuring(() => Promise.all(players.map((player) => predict(service, player))));
  expect(bytes / GROUP).toBeLessThanOrEqual(SUBMISSION_BYTES);
});

/** Everybody of the field predicts in the running round. */
async function predictAll(): Promise<void> {
  await sql`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select r.id, a.id, r.choices ->> (a.id % jsonb_array_length(r.choices)), a.id % 101, r.start_time
    from rounds r, agents a where r.status = 'active' and a.name like 'many-%'`.execute(service.newEm().getKysely());
}

test(`a resolution writes at most ${RESOLUTION_BYTES} bytes a prediction`, async () => {
  await sql`insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'many-' || n, 'many-' || n, 'compete', lpad(to_hex(n), 64, '0'), now() from generate_series(1, ${FIELD}) n`.execute(
    service.newEm().getKysely(),
  );
  const resolution = async (): Promise<number> => {
    await predictAll();
    return walDuring(() => service.nextHour());
  };
  await resolution();
  expect((await resolution()) / FIELD).toBeLessThanOrEqual(RESOLUTION_BYTES);
});

test(`a score, its row and its indexes, writes at most ${SCORE_BYTES} bytes`, async () => {
  await predictAll();
  const columns = sql.raw(`is_correct, score, streak_bonus, arena_points, pnl_usd, brier, reference_brier, confidence,
    edge_millionths, contribution_billionths, peer_millionths`);
  const scored = walDuring(() =>
    sql`insert into scores (round_id, agent_id, place, ${columns})
      select r.id, s.agent_id, row_number() over (order by s.place), ${columns}
      from rounds r, scores s join agents a on a.id = s.agent_id
      where r.status = 'active' and a.name like 'many-%' and s.round_id = (select max(round_id) from scores)
      order by s.agent_id`.execute(service.newEm().getKysely()),
  );
  expect((await scored) / FIELD).toBeLessThanOrEqual(SCORE_BYTES);
});
