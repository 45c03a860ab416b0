import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

/** A prediction with its agent's name and, once scored, what it earned. */
export interface PredictionRow {
  readonly id: number;
  readonly agentId: number;
  readonly agentName: string;
  readonly roundId: number;
  readonly prediction: string;
  readonly confidence: number;
  readonly submittedAt: Date;
  readonly score: number | null;
  readonly isCorrect: boolean | null;
  readonly streakBonus: number | null;
  readonly place: number | null;
  readonly arenaPoints: number | null;
  readonly pnlUsd: string | null;
  readonly replayed?: boolean;
}

/** Predictions that meet `condition`, in `order`; `p` is the prediction, `s` its score or nothing, `a` its agent. */
async function select(
  em: SqlEntityManager,
  condition: RawBuilder<unknown>,
  orderAndLimit: RawBuilder<unknown>,
): Promise<readonly PredictionRow[]> {
  const { rows } = await sql<PredictionRow>`
    select p.id, p.agent_id as "agentId", a.name as "agentName", p.round_id as "roundId", p.prediction, p.confidence,
      p.submitted_at as "submittedAt", s.score, s.is_correct as "isCorrect", s.streak_bonus as "streakBonus",
      s.place, s.arena_points as "arenaPoints", s.pnl_usd as "pnlUsd"
    from predictions p
    join agents a on a.id = p.agent_id
    left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    where ${condition} order by ${orderAndLimit}`.execute(em.getKysely());
  return rows;
}

/** A round's predictions in the order of submission, those after the entry `after`. */
export function entriesOf(em: SqlEntityManager, roundId: number, page: { limit: number; after: number }) {
  return select(em, sql`p.round_id = ${roundId} and p.id > ${page.after}`, sql`p.round_id, p.id limit ${page.limit}`);
}

/** A resolved round's predictions from first place on, those behind the place `afterPlace`. */
export function placesOf(em: SqlEntityManager, roundId: number, page: { limit: number; afterPlace: number }) {
  return select(
    em,
    sql`s.round_id = ${roundId} and p.round_id = ${roundId} and s.place > ${page.afterPlace}`,
    sql`s.place limit ${page.limit}`,
  );
}

/** An agent's newest predictions, the newest first. */
export function newestOf(em: SqlEntityManager, agentId: number, limit: number) {
  return select(em, sql`p.agent_id = ${agentId}`, sql`p.id desc limit ${limit}`);
}

/** One agent's prediction in a round, or undefined. */
export async function predictionIn(em: SqlEntityManager, roundId: number, agentId: number) {
  const [row] = await select(em, sql`p.round_id = ${roundId} and p.agent_id = ${agentId}`, sql`p.id`);
  return row;
}

/** The prediction with this id in this round, or undefined. */
export async function predictionById(em: SqlEntityManager, roundId: number, id: number) {
  const [row] = await select(em, sql`p.id = ${id} and p.round_id = ${roundId}`, sql`p.id`);
  return row;
}
