import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Clock } from '../clock.ts';
import { ANSWER_MS } from '../limits.ts';
import { beforeDeadline, withDeadline } from '../deadline.ts';

export interface OfferedPrediction {
  readonly roundId: number;
  readonly agentId: number;
  readonly prediction: string;
  readonly confidence: number;
  readonly idempotencyKey: string | null;
}

/** An accepted prediction: it is committed. */
export interface AcceptedPrediction {
  readonly id: number;
  readonly submittedAt: Date;
}

/** Puts predictions into the database. Concurrent ones share one statement, and each is answered after its commit. */
export interface PredictionWriter {
  /**
   * Null when the round takes none (any more), or when the agent has one there already. A rejection means that nobody
   * knows: the prediction may be committed all the same, unless it was the caller's deadline that passed while it waited
   * for its turn.
   */
  write(offered: OfferedPrediction): Promise<AcceptedPrediction | null>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

interface Waiting {
  readonly offered: OfferedPrediction;
  readonly resolve: (accepted: AcceptedPrediction | null) => void;
  readonly reject: (error: unknown) => void;
}

const MAX_IN_A_STATEMENT = 500;

/** One statement is under way at a time; what arrives meanwhile goes into the next. */
export function predictionWriter(newEm: () => SqlEntityManager, clock: Clock, lockMs: number): PredictionWriter {
  const waiting: Waiting[] = [];
  let running: Promise<void> | null = null;

  const run = async (): Promise<void> => {
    while (waiting.length > 0) {
      const group = waiting.splice(0, MAX_IN_A_STATEMENT);
      try {
        const accepted = await withDeadline(ANSWER_MS, () => insert(newEm(), group, clock.now(), lockMs));
        for (const [place, { resolve }] of group.entries()) resolve(accepted.get(place) ?? null);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    running = null;
  };

  return {
    async write(offered) {
      const { promise, ...settle } = Promise.withResolvers<AcceptedPrediction | null>();
      const mine = { offered, ...settle };
      waiting.push(mine);
      running ??= run();
      try {
        return await beforeDeadline(promise);
      } finally {
        // A prediction whose caller already got an error is not accepted afterwards, where that can be avoided.
        const place = waiting.indexOf(mine);
        if (place >= 0) waiting.splice(place, 1);
      }
    },
    settled: async () => {
      await running;
    },
  };
}

/**
 * Inserts a group and answers, by place in it, which were accepted. The statement itself checks the deadline and the
 * round's status on a row that it locks: closing the round waits for it, and what comes after the closing finds a
 * closed round.
 */
async function insert(
  em: SqlEntityManager,
  group: readonly Waiting[],
  now: Date,
  lockMs: number,
): Promise<ReadonlyMap<number, AcceptedPrediction>> {
  const offered = JSON.stringify(group.map(({ offered: one }, place) => ({ ...one, place })));
  const { rows } = await sql<{ place: number; id: number }>`
    with offered as (
      select distinct on ("roundId", "agentId") *
      from jsonb_to_recordset(${offered}::jsonb) as o(
        place int, "roundId" int, "agentId" int, prediction text, confidence int, "idempotencyKey" text)
      order by "roundId", "agentId", place
    ), open as (
      select id from rounds
      where id in (select "roundId" from offered) and status = 'active' and start_time <= ${now}
        and end_time > ${new Date(now.getTime() + lockMs)}
      order by id for no key update
    ), inserted as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, idempotency_key)
      select o."roundId", o."agentId", o.prediction, o.confidence, ${now}, o."idempotencyKey"
      from offered o join open on open.id = o."roundId"
      order by o.place
      on conflict (round_id, agent_id) do nothing
      returning id, round_id, agent_id, confidence
    ), counted as (
      update rounds r
      set total_entries = r.total_entries + i.entries, confidence_sum = r.confidence_sum + i.confidences
      from (select round_id, count(*) as entries, sum(confidence) as confidences from inserted group by round_id) i
      where r.id = i.round_id
    )
    select o.place, i.id from inserted i join offered o on o."roundId" = i.round_id and o."agentId" = i.agent_id`.execute(
    em.getKysely(),
  );
  return new Map(rows.map(({ place, id }) => [place, { id, submittedAt: now }]));
}
