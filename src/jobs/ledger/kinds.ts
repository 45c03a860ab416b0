import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { ANY_ASSET } from '../../entities/tallies.ts';
import { leadBucket } from '../../reads/breakdowns.ts';
import { SCORES } from '../../reads/scores.ts';
import { rows } from '../../reads/sql.ts';
import { type Kind, kindsOf } from '../../rules/kinds.ts';
import type { QuestionType } from '../../rules/questions/question.ts';
import { SUMS } from '../../rules/sums.ts';
import { type Period, PERIODS } from '../../rules/windows.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { moveModels } from './models.ts';
import { scoreSums } from './sum-columns.ts';
import { windowed } from './window-moves.ts';

/** A window of a kind, which has its own sums and boards. */
export interface KindWindow {
  readonly kind: Kind;
  readonly period: Period;
}

/** A round that is counted in other windows than it lies in. */
export interface Move {
  readonly id: number;
  /** Of windows, as bits in their order. */
  readonly before: number;
  readonly after: number;
  readonly questionType: QuestionType;
  readonly subject: string | null;
  readonly choiceCount: number;
}

/** What a move has of its round `r`, but for the windows. */
const MOVED = sql`r.id, r.kind_windows as before, r.question_type as "questionType", r.subject,
  jsonb_array_length(r.choices) as "choiceCount"`;

/** Rounds that are counted in other windows than they lie in, the oldest first. */
export async function dueMoves(em: SqlEntityManager): Promise<readonly Move[]> {
  const bits = PERIODS.map((period, place) => sql`${1 << place}::int * ${windowed(period)}::int`);
  return rows<Move>(em)`
    select ${MOVED}, w.after from rounds r cross join platform p cross join lateral (select ${sql.join(bits, sql` + `)} as after) w
    where r.status = 'resolved' and r.kind_windows <> ${1 << (PERIODS.length - 1)}::int and r.kind_windows <> w.after order by r.id`;
}

/** A window that a round enters, with 1, or leaves, with -1. */
interface Sign {
  readonly period: Period;
  readonly sign: number;
}

/** Takes rounds out of all that is kept by kind, before an amendment changes their scores; they enter it again as new ones do. */
export async function takeOutOfKinds(transaction: SqlEntityManager, rounds: readonly number[]): Promise<void> {
  const moves = await rows<Move>(transaction)`
    select ${MOVED}, 0 as after from rounds r where r.id = any(${[...rounds]}::int[]) and r.kind_windows <> 0 order by r.id`;
  for (const move of moves) await moveRound(transaction, move);
}

/** Whoever marks the round first moves it; others find it marked. */
export async function moveRound(transaction: SqlEntityManager, move: Move): Promise<void> {
  const { id, before, after } = move;
  const marked = await rows(transaction)`
    update rounds set kind_windows = ${after} where id = ${id} and kind_windows = ${before} and status = 'resolved' returning id`;
  if (marked.length === 0) return;
  const kinds = kindsOf(move).toSorted();
  const signs = PERIODS.map((period, place) => ({ period, sign: ((after >> place) & 1) - ((before >> place) & 1) }));
  const moved = signs.flatMap(({ period, sign }) => (sign === 0 ? [] : [period]));
  await rows(transaction)`
    insert into kind_states (kind, period, moved)
    select k, w, 1 from unnest(${kinds}::text[]) k cross join unnest(${moved}::text[]) w order by 1, 2
    on conflict (kind, period) do update set moved = kind_states.moved + 1`;
  // Joined whole: the planner does not know yet how many predictions the round has.
  await withPlannerHint(transaction, 'hashJoins', async () => {
    for (const kind of kinds)
      for (const { period, sign } of signs) if (sign !== 0) await moveSums(transaction, move, { kind, period, sign });
    await moveLeads(transaction, id, signs);
  });
  const sign = (place: number) => sql`${sql.lit(signs[place]?.sign ?? 0)}`;
  await moveModels(transaction, { where: sql`w.round_id = ${id}`, sign });
}

const COLUMNS = Object.values(SUMS).map(({ column }) => sql.ref(column));
const LISTS = sql.join([sql.ref('agent_id'), ...COLUMNS]);

/** A row for each agent, of lists side by side. In a `from`, each list would be stored as a table of its own first. */
export function unnested(prefix: string): RawBuilder<unknown> {
  const sums = Object.values(SUMS).map(({ column }) => sql`unnest(${sql.ref(column)}) as ${sql.ref(prefix + column)}`);
  return sql.join([sql`unnest(agent_id) as agent_id`, ...sums]);
}

/** Who has no round of the kind in the window any more is left out. */
async function moveSums(
  transaction: SqlEntityManager,
  round: Move,
  { kind, period, sign }: KindWindow & Sign,
): Promise<void> {
  const moved = COLUMNS.map(
    (column) => sql`coalesce(before.${column}, 0) + ${signed(sign, sql`s.${column}`)} as ${column}`,
  );
  await rows(transaction)`
    with k as (delete from kind_sums where kind = ${kind} and period = ${period} returning ${LISTS}),
    moved as (
      select agent_id, ${sql.join(moved)}
      from (select ${unnested('')} from k) before
      full join ${scoreSums([{ ...round, isCorrected: true }])} s using (agent_id) order by agent_id
    )
    insert into kind_sums (kind, period, ${LISTS})
    select ${kind}, ${period}, array_agg(agent_id), ${sql.join(COLUMNS.map((column) => sql`array_agg(${column})`))}
    from moved where competitions > 0 having count(*) > 0`;
}

/** How often each confidence was right and wrong at each lead time, as the field's tallies (entities/tallies.ts) have it. */
async function moveLeads(transaction: SqlEntityManager, roundId: number, signs: readonly Sign[]): Promise<void> {
  const columns = signs.map(({ period, sign }) => ({
    name: sql.ref(`${period}_n`),
    added: signed(sign, sql`count(*)`),
  }));
  await rows(transaction)`
    insert into lead_tallies as t (lead, asset, question_type, choice_count, confidence, is_correct,
      ${sql.join(columns.map(({ name }) => name))})
    select c.lead, a.asset, c.question_type, c.choice_count, c.confidence, c.is_correct,
      ${sql.join(columns.map(({ name }) => sql`c.${name}`))}
    from (
      select ${leadBucket(sql`r.end_time - p.submitted_at`)} as lead, r.question_type,
        jsonb_array_length(r.choices) as choice_count, s.confidence, s.is_correct,
        ${sql.join(columns.map(({ name, added }) => sql`${added} as ${name}`))}
      from ${SCORES} s join predictions p on p.round_id = s.round_id and p.agent_id = s.agent_id
      join rounds r on r.id = s.round_id
      where s.round_id = ${roundId} and not s.standing group by 1, 2, 3, 4, 5
    ) c cross join (
      select ${ANY_ASSET} as asset union all select asset from round_assets where round_id = ${roundId}
    ) a
    order by 1, 2, 3, 4, 5, 6
    on conflict (lead, asset, question_type, choice_count, confidence, is_correct)
      do update set ${sql.join(columns.map(({ name }) => sql`${name} = t.${name} + excluded.${name}`))}`;
}

function signed(sign: number, figure: RawBuilder<unknown>): RawBuilder<unknown> {
  return sign === 0 ? sql`0` : sql`${sql.lit(sign)} * coalesce(${figure}, 0)`;
}
