import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Clock } from '../../clock.ts';
import { givenRows } from '../../entities/given-rows.ts';
import type { DB } from '../../entities/tables.ts';
import { ANY_ASSET } from '../../entities/tallies.ts';
import { appendEvents, type NewEvent } from '../../feed/event-log.ts';
import { byAlias } from '../../reads/plan/by-alias.ts';
import { rows } from '../../reads/sql.ts';
import { addHours, DAY, hourOf } from '../../rules/hours.ts';
import { anyOf } from '../../reads/fragments.ts';
import type { ResolvingDeps } from '../resolve/waiting-rounds.ts';
import { lapseTime, defaultAnswersTime } from '../../rules/default-answers.ts';

export interface DefaultAnswerDeps extends Pick<ResolvingDeps, 'newEm' | 'announce'> {
  readonly clock: Pick<Clock, 'now'>;
  /** Rounds close for predictions this many milliseconds before their end. */
  readonly lockMs: number;
}

const { a, l, p, r, s } = byAlias({
  a: 'agents',
  l: 'standing_agents',
  p: 'predictions',
  r: 'rounds',
  s: 'standing_rows',
});

/** The next instant after `now` at which default answers are submitted. */
export function nextDefaultAnswers(now: Date, lockMs: number): Date {
  const time = defaultAnswersTime(hourOf(now), lockMs);
  return time > now ? time : defaultAnswersTime(addHours(hourOf(now), 1), lockMs);
}

/**
 * Ends default answers of agents without recent requests. Shortly before the running round closes, submits a default answer
 * for each agent that has not answered, once. Safe to run twice or at once; a missed round stays missed.
 */
export async function applyDefaultAnswers(deps: DefaultAnswerDeps): Promise<void> {
  while ((await lapse(deps)) === PAGE);
  const now = deps.clock.now();
  if (now < defaultAnswersTime(hourOf(now), deps.lockMs)) return;
  const applied = await deps.newEm().transactional((transaction) => apply(transaction, now, deps.lockMs));
  if (applied > 0) deps.announce();
}

/**
 * One statement with the conditions of submissions (resolvers/prediction-writer.ts), checked on the locked round; its row also
 * shows whether this was done before. An answer about the round's asset precedes one about any.
 */
async function apply(transaction: SqlEntityManager, now: Date, lockMs: number): Promise<number> {
  const [done] = await rows<{ roundId: number; entries: number }>(transaction)`
    with open as materialized (
      select ${r('id')}, ${r('choices')}, ${r('question_type')}, ${r('subject')} from rounds r
      where ${r('status')} = 'active' and ${r('standing_at')} is null and ${r('start_time')} <= ${now}::timestamptz
        and ${r('end_time')} > ${new Date(now.getTime() + lockMs)}::timestamptz
      for no key update
    ), fit as (
      select distinct on (${s('agent_id')}) o.id, o.choices, ${s('agent_id')}, ${s('answers')}, ${s('confidence')}, ${s('set_at')}
      from open o
      join standing_rows s on ${s('question_type')} = o.question_type and ${s('asset')} = any(array[o.subject::text, ${ANY_ASSET}])
      join standing_agents l on ${l('agent_id')} = ${s('agent_id')} and ${l('lapses_at')} > ${now}::timestamptz
      join agents a on ${a('id')} = ${s('agent_id')} and ${a('mode')} = 'compete' and ${a('name_key')} is not null and ${a('block_reason')} is null
      where not exists (select from predictions p where ${p('round_id')} = o.id and ${p('agent_id')} = ${s('agent_id')})
      order by ${s('agent_id')}, ${s('asset')} = ${ANY_ASSET}
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

/** The number of agents that one transaction checks. */
const PAGE = 500;

/**
 * Checks agents whose time has passed: submissions count as requests too, although they do not extend it. Announces those
 * without any. Returns the number of checked agents.
 */
async function lapse({ newEm, clock, announce }: DefaultAnswerDeps): Promise<number> {
  const now = clock.now();
  const since = new Date(now.getTime() - 8 * DAY);
  const looked = await newEm().transactional(async (transaction) => {
    const tables = transaction.getKysely<DB>();
    const found = await tables
      .selectFrom('standing_agents as l')
      .innerJoin('agents as a', 'a.id', 'l.agent_id')
      .select((of) => [
        'l.agent_id as agentId',
        'a.name as agentName',
        of
          .selectFrom('rounds as r')
          .innerJoinLateral(
            (one) =>
              one
                .selectFrom('predictions as o')
                .select(['o.submitted_at', 'o.standing'])
                .whereRef('o.round_id', '=', 'r.id')
                .whereRef('o.agent_id', '=', 'l.agent_id')
                .offset(0)
                .as('p'),
            (on) => on.onTrue(),
          )
          .select(({ fn }) => fn.max('p.submitted_at').as('at'))
          .where('r.start_time', '>', since)
          .where('p.standing', '=', false)
          .as('last'),
      ])
      .where('l.lapses_at', '<=', now)
      .where((of) => of.not('l.lapse_told'))
      .orderBy('l.lapses_at')
      .limit(PAGE)
      .forNoKeyUpdate('l')
      .skipLocked()
      .execute();
    const moved = found.map(({ last, ...agent }) => ({ ...agent, lapsesAt: last === null ? now : lapseTime(last) }));
    const [kept, lapsed] = [moved.filter((one) => one.lapsesAt > now), moved.filter((one) => one.lapsesAt <= now)];
    const times = kept.map(({ agentId, lapsesAt }) => ({ agent_id: agentId, lapses_at: lapsesAt }));
    await tables
      .updateTable('standing_agents as l')
      .from(givenRows('standing_agents', times))
      .set((of) => ({ lapses_at: of.ref('given.lapses_at') }))
      .whereRef('l.agent_id', '=', 'given.agent_id')
      .execute();
    const ids = lapsed.map(({ agentId }) => agentId);
    await tables.updateTable('standing_agents').set({ lapse_told: true }).where('agent_id', '=', anyOf(ids)).execute();
    const events = lapsed.map(({ agentId, agentName }): NewEvent => {
      return { kind: 'STANDING_LAPSED', roundId: null, payload: { agentId, agentName } };
    });
    await appendEvents(transaction, now, events);
    return { all: found.length, lapsed: lapsed.length };
  });
  if (looked.lapsed > 0) announce();
  return looked.all;
}
