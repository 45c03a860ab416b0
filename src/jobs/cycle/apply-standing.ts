import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Clock } from '../../clock.ts';
import { ANY_ASSET } from '../../entities/tallies.ts';
import { appendEvents } from '../../feed/event-log.ts';
import { rows } from '../../reads/sql.ts';
import { addHours, DAY, hourOf } from '../../rules/hours.ts';
import { lapseTime, standingTime } from '../../rules/standing.ts';

export interface StandingDeps {
  readonly newEm: () => SqlEntityManager;
  readonly clock: Pick<Clock, 'now'>;
  /** How long before its end a round takes no more predictions, in milliseconds. */
  readonly lockMs: number;
  /** Called after a commit that may have written events. */
  readonly announce: () => void;
}

/** The next instant after `now` at which a round gets what stands. */
export function nextStanding(now: Date, lockMs: number): Date {
  const time = standingTime(hourOf(now), lockMs);
  return time > now ? time : standingTime(addHours(hourOf(now), 1), lockMs);
}

/**
 * Ends rows whose agents were not heard of for long; and, shortly before the running round takes no more predictions, makes
 * some of what stands for all who have not answered, once. Safe to run twice, and at once. What was missed stays missed.
 */
export async function applyStanding(deps: StandingDeps): Promise<void> {
  while ((await lapse(deps)) === PAGE);
  const now = deps.clock.now();
  if (now < standingTime(hourOf(now), deps.lockMs)) return;
  const applied = await deps.newEm().transactional((transaction) => apply(transaction, now, deps.lockMs));
  if (applied > 0) deps.announce();
}

/**
 * One statement, with the conditions of the one that takes submissions (resolvers/prediction-writer.ts): round and close are
 * judged on the locked row, which also says whether this was done before. A row about the round's asset goes before one about any.
 */
async function apply(transaction: SqlEntityManager, now: Date, lockMs: number): Promise<number> {
  const [done] = await rows<{ roundId: number; entries: number }>(transaction)`
    with open as materialized (
      select id, choices, question_type, subject from rounds
      where status = 'active' and standing_at is null and start_time <= ${now}::timestamptz
        and end_time > ${new Date(now.getTime() + lockMs)}::timestamptz
      for no key update
    ), fit as (
      select distinct on (s.agent_id) o.id, o.choices, s.agent_id, s.answers, s.confidence, s.set_at
      from open o
      join standing_rows s on s.question_type = o.question_type and s.asset = any(array[o.subject::text, ${ANY_ASSET}])
      join standing_agents l on l.agent_id = s.agent_id and l.lapses_at > ${now}::timestamptz
      join agents a on a.id = s.agent_id and a.mode = 'compete' and a.name_key is not null and a.block_reason is null
      where not exists (select from predictions p where p.round_id = o.id and p.agent_id = s.agent_id)
      order by s.agent_id, s.asset = ${ANY_ASSET}
    ), inserted as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, standing, set_at)
      select f.id, f.agent_id, u.answer, f.confidence, ${now}::timestamptz, true, f.set_at
      from fit f cross join lateral (
        select answer from unnest(f.answers) with ordinality a(answer, place) where f.choices ? answer order by place limit 1
      ) u
      order by f.agent_id
      on conflict (round_id, agent_id) do nothing
      returning confidence
    )
    update rounds r set standing_at = ${now}::timestamptz, total_entries = r.total_entries + i.entries,
      confidence_sum = r.confidence_sum + i.confidences
    from open o cross join (select count(*)::int as entries, coalesce(sum(confidence), 0) as confidences from inserted) i
    where r.id = o.id
    returning r.id as "roundId", i.entries`;
  if (done === undefined || done.entries === 0) return 0;
  const { roundId, entries } = done;
  await appendEvents(transaction, now, [{ kind: 'STANDING_APPLIED', roundId, payload: { entries } }]);
  return entries;
}

/** So many agents are looked at together. */
const PAGE = 500;

/**
 * Looks at agents whose rows' time has passed: submissions, which do not move it on, count as requests too. Tells of those that
 * were not heard of. Returns how many were looked at.
 */
async function lapse({ newEm, clock, announce }: StandingDeps): Promise<number> {
  const now = clock.now();
  const since = new Date(now.getTime() - 8 * DAY);
  const looked = await newEm().transactional(async (transaction) => {
    const found = await rows<{ agentId: number; agentName: string; last: Date | null }>(transaction)`
      select l.agent_id as "agentId", a.name as "agentName", (
          select max(p.submitted_at) from rounds r cross join lateral (
            select submitted_at, standing from predictions where round_id = r.id and agent_id = l.agent_id offset 0
          ) p where r.start_time > ${since}::timestamptz and not p.standing
        ) as last
      from standing_agents l join agents a on a.id = l.agent_id
      where l.lapses_at <= ${now}::timestamptz and not l.lapse_told
      order by l.lapses_at limit ${PAGE} for no key update of l skip locked`;
    const moved = found.map(({ last, ...agent }) => ({ ...agent, lapsesAt: last === null ? now : lapseTime(last) }));
    const [kept, lapsed] = [moved.filter((one) => one.lapsesAt > now), moved.filter((one) => one.lapsesAt <= now)];
    await rows(transaction)`
      update standing_agents l set lapses_at = k."lapsesAt"
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as k("agentId" int, "lapsesAt" timestamptz)
      where l.agent_id = k."agentId"`;
    await rows(transaction)`
      update standing_agents set lapse_told = true where agent_id = any(${lapsed.map(({ agentId }) => agentId)}::int[])`;
    const events = lapsed.map(({ agentId, agentName }) => ({ agentId, agentName }));
    await appendEvents(
      transaction,
      now,
      events.map((payload) => ({ kind: 'STANDING_LAPSED', roundId: null, payload })),
    );
    return { all: found.length, lapsed: lapsed.length };
  });
  if (looked.lapsed > 0) announce();
  return looked.all;
}
