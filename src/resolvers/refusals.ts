import { type Batcher, batcher } from '../batching.ts';
import type { Clock } from '../clock.ts';
import { statement, type Statements } from '../database/statements.ts';
import { withDeadline } from '../deadline.ts';
import { ANSWER_MS } from '../limits.ts';
import { DomainError, type ErrorCode } from '../rules/errors.ts';

/** `roundId` is null if the submission was unreadable. */
export type RefusalCounts = Batcher<{ agentId: number; roundId: number | null; reason: string }, null>;

export function refusalCounts(statements: Statements, clock: Clock): RefusalCounts {
  return batcher({
    inFlight: 1,
    max: 500,
    delayToNextTick: true,
    // A statement cannot update one row twice.
    exclusiveKey: ({ agentId }) => String(agentId),
    async run(batch) {
      await withDeadline(ANSWER_MS, () => statements.rows(COUNT, [JSON.stringify(batch), clock.now()]));
      return batch.map(() => null);
    },
  });
}

/** Codes that concern the agent's behaviour. Spent budgets are not counted: they exist to spare the database. */
const COUNTED: ReadonlySet<ErrorCode> = new Set(['BAD_REQUEST', 'FORBIDDEN', 'CONFLICT']);

interface RefusalContext {
  viewer(): Promise<{ readonly id: number } | null>;
  readonly services: { readonly refusals: RefusalCounts };
}

/** Counts in the background and ignores failures. */
export function countRefusal(refusing: RefusalContext, roundId: number | null, error: unknown): void {
  const count = async ({ reason }: DomainError): Promise<void> => {
    const agent = await refusing.viewer();
    if (agent !== null) await refusing.services.refusals.add({ agentId: agent.id, roundId, reason });
  };
  if (error instanceof DomainError && COUNTED.has(error.code)) count(error).catch(() => {});
}

/** For the named or the running round: few rows per agent and hour. The order prevents deadlocks. */
const COUNT = statement<[]>({
  name: 'count-refusals',
  text: `
    insert into refusals (agent_id, round_id, refusals, reason, refused_at)
    select o."agentId", r.id, 1, o.reason, $2
    from jsonb_to_recordset($1::jsonb) as o ("agentId" int, "roundId" bigint, reason text)
    join rounds r on r.id = coalesce(
      (select id from rounds where id = o."roundId" and end_time > $2::timestamptz - interval '1 hour'),
      (select id from rounds where status = 'active'))
    order by r.id, o."agentId"
    on conflict (round_id, agent_id) do update
    set refusals = refusals.refusals + 1, reason = excluded.reason, refused_at = excluded.refused_at`,
});
