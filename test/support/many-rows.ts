import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** Ids of these rounds, far from those that a service opens. */
const FIRST_ID = 10_001;
const FIRST_HOUR = '2020-01-01T00:00:00Z';

interface Shape {
  readonly agents: number;
  readonly rounds: number;
  /** The first agents, and rounds that they alone answered. */
  readonly regulars?: { readonly agents: number; readonly rounds: number };
}

/**
 * Writes `rounds` resolved rounds in which each of `agents` agents predicted, after those of `regulars`. Agent n says YES at
 * confidence n % 101, and is right in every second round. Types alternate between direction (BTC) and beat_market (ETH).
 */
export async function insertHistory(
  em: SqlEntityManager,
  { agents, rounds, regulars = { agents: 0, rounds: 0 } }: Shape,
): Promise<void> {
  const database = em.getKysely();
  await sql`insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'agent-' || n, 'agent-' || n, 'compete', lpad(to_hex(n), 64, '0'), ${FIRST_HOUR} from generate_series(1, ${agents}) n`.execute(
    database,
  );
  await sql`insert into rounds (id, start_time, end_time, status, question_type, prediction_format, question, choices, subject,
      source, total_entries, outcome, resolution_value, decided_at)
    select ${FIRST_ID - 1} + n, start, start + interval '1 hour', 'resolved',
      case n % 2 when 1 then 'direction' else 'beat_market' end, 'boolean', 'Is it "up", or not?', '["YES","NO"]',
      case n % 2 when 1 then 'BTC' else 'ETH' end, 'simulated', ${agents}, case n % 2 when 1 then 'YES' else 'NO' end, n % 2,
      start + interval '61 minutes'
    from generate_series(1, ${regulars.rounds + rounds}) n, lateral (select ${FIRST_HOUR}::timestamptz + n * interval '1 hour' as start) t`.execute(
    database,
  );
  await sql`insert into round_assets (round_id, asset, position, provider_id, open, high, low, close, return_pct)
    select id, subject, 0, subject || '-USD', 100, 102.5, 99, 101.25, 1.25 from rounds where id >= ${FIRST_ID}`.execute(
    database,
  );
  await sql`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select r.id, a.id, 'YES', a.id % 101, r.start_time + interval '1 minute'
    from rounds r join agents a on r.id >= ${FIRST_ID + regulars.rounds} or a.id <= ${regulars.agents}
    where r.id >= ${FIRST_ID} order by r.id, a.id`.execute(database);
  await sql`insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier, reference_brier,
      confidence, edge_millionths)
    select p.round_id, p.agent_id, p.round_id % 2 = 1, 40, 0, p.agent_id, 0, -12.50, 0.25, 0.25, p.confidence, 0
    from predictions p where p.round_id >= ${FIRST_ID}`.execute(database);
  await sql`analyze`.execute(database);
}

/** The id of the nth round of `insertHistory`, from 1. */
export function roundId(n: number): number {
  return FIRST_ID - 1 + n;
}
