import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder, type RawBuilder, sql } from 'kysely';

import type { DB, Row } from '../../entities/tables.ts';
import { SCORE_COLUMNS, SCORE_FIGURES, SCORES } from '../../reads/scores.ts';
import type { AmendableRound, StoredAmendment } from './decisions.ts';
import { type ScoreBasis, scoresOf, streakBonusOf } from './score-statements.ts';
import { withPlannerHint } from '../../database/planner-hints.ts';
import { ANSWERS, type Streak, streaksIn } from '../ledger/standing-statements.ts';

/** The effect of an amendment, in tables of its transaction. */
interface AmendmentTables extends DB {
  amended_predictors: Pick<DB['predictions'], 'agent_id'>;
  /** The scores of the amended round by its new answer, with bonuses as after a miss. */
  amended_own: DB['scores'];
  /** Streaks from the amended round on, and each agent's last one; `best` is the longest until then. */
  amended_streaks: Streak & { readonly best: number; readonly is_last: boolean };
  /** The new scores. Rows with `counted` false are withdrawn scores. */
  amended_scores: DB['scores'] & Pick<DB['corrected_scores'], 'counted'>;
}

/** The streaks of the amended round's agents after the amendment. */
export const AMENDED_STREAKS = expressionBuilder<AmendmentTables>()
  .selectFrom('amended_predictors as p')
  .leftJoin('amended_streaks as t', (on) => on.onRef('t.agent_id', '=', 'p.agent_id').on('t.is_last', '=', true))
  .leftJoin('carried_streaks as c', 'c.agent_id', 'p.agent_id')
  .select((of) => [
    'p.agent_id',
    of.fn.coalesce('t.streak', 'c.streak', of.lit(0)).as('current'),
    of.fn<number>('greatest', ['t.best', 'c.best', of.lit(0)]).as('best'),
  ]);

const KEY = ['s.round_id', 's.agent_id', 's.confidence', 's.standing'] as const;

/** The bonus of the streak `t`. */
const BONUS = streakBonusOf(expressionBuilder<{ t: Streak }, 't'>().ref('t.streak'));

/**
 * Computes the scores that change where a round is scored by another answer, or (null) is void: its own, and later ones of
 * its agents whose streak bonuses change. Streaks follow the order of the first decisions, in which the round keeps its
 * place: everything that its agents have answered is read, once. Returns the rounds whose scores change, the amended one
 * first, and if that had no scores before.
 */
export async function workOutCorrections(transaction: SqlEntityManager, round: AmendableRound, by: ScoreBasis | null) {
  const { id } = round;
  const tables = transaction.getKysely<AmendmentTables>();
  const temporary = (name: string) => tables.schema.createTable(name).temporary().onCommit('drop');
  const noScores = tables
    .selectFrom('scores')
    .select(SCORE_COLUMNS)
    .where((of) => of.lit(false));
  await temporary('amended_predictors')
    .as(tables.selectFrom('predictions').select('agent_id').where('round_id', '=', id))
    .execute();
  await temporary('amended_own')
    .as(by === null ? noScores : scoresOf(transaction, round, by, 'none'))
    .execute();
  await withPlannerHint(transaction, 'hashJoins', async () => {
    await temporary('amended_streaks').as(amendedStreaks(transaction, round)).execute();
    await temporary('amended_scores')
      .as(changedScores(transaction, round, by === null))
      .execute();
  });
  const later = tables.selectFrom('amended_scores').select('round_id').distinct().where('round_id', '<>', id);
  const found = await later.orderBy('round_id').execute();
  const scored = await tables.selectFrom('scores').select('round_id').where('round_id', '=', id).limit(1).execute();
  return { rounds: [id, ...found.map((one) => one.round_id)], isFirst: scored.length === 0 };
}

function amendedStreaks(transaction: SqlEntityManager, { id, decidedAt }: AmendableRound) {
  const tables = transaction.getKysely<AmendmentTables>();
  const answers = ANSWERS.where('s.agent_id', 'in', tables.selectFrom('amended_predictors').select('agent_id'))
    .where('s.round_id', '<>', id)
    .unionAll(
      tables
        .selectFrom('amended_own')
        .select(['agent_id', 'round_id', 'is_correct'])
        .select((of) => of.cast<Date | null>(of.val(decidedAt), 'timestamptz').as('decided_at')),
    );
  const streaks = tables
    .selectFrom(streaksIn(answers).as('s'))
    .selectAll()
    .select(({ eb, fn }) => [
      fn
        .max('streak')
        .over((all) => all.partitionBy('agent_id').orderBy('decided_at').orderBy('round_id'))
        .as('best'),
      eb(
        fn
          .agg<number | null>('lead', ['round_id'])
          .over((all) => all.partitionBy('agent_id').orderBy('decided_at').orderBy('round_id')),
        'is',
        null,
      ).as('is_last'),
    ]);
  return tables
    .selectFrom(streaks.as('one'))
    .selectAll()
    .where((of) =>
      of.or([of('is_last', '=', true), of(of.refTuple('decided_at', 'round_id'), '>=', of.tuple(decidedAt, id))]),
    );
}

function changedScores(transaction: SqlEntityManager, { id, decidedAt }: AmendableRound, isVoid: boolean) {
  const tables = transaction.getKysely<AmendmentTables>();
  const withBonus = (scores: RawBuilder<Row<'scores'>>) =>
    tables
      .selectFrom(scores.as('s'))
      .innerJoin('amended_streaks as t', (on) =>
        on.onRef('t.round_id', '=', 's.round_id').onRef('t.agent_id', '=', 's.agent_id'),
      )
      .select(KEY)
      .select((of) => of.lit<boolean>(true).as('counted'))
      .select(SCORE_FIGURES.map((name) => (name === 'streak_bonus' ? BONUS.as(name) : (`s.${name}` as const))));
  const later = withBonus(SCORES)
    .where('s.round_id', '<>', id)
    .where((of) => of(of.refTuple('t.decided_at', 't.round_id'), '>', of.tuple(decidedAt, id)))
    .where('s.streak_bonus', '<>', BONUS);
  const removed = tables
    .selectFrom(SCORES.as('s'))
    .select(KEY)
    .select((of) => of.lit<boolean>(false).as('counted'))
    .select(SCORE_FIGURES.map((name) => `s.${name}` as const))
    .where('s.round_id', '=', id)
    .where((of) => of.lit(isVoid));
  return withBonus(sql.table('amended_own')).unionAll(later).unionAll(removed);
}

/** Writes the corrections and the corrected scores. If the round had no scores, its new ones go to `scores`, not to `score_corrections`. */
export async function correctScores(
  transaction: SqlEntityManager,
  { roundId, amendmentId, isFirst }: StoredAmendment,
): Promise<void> {
  const tables = transaction.getKysely<AmendmentTables>();
  const own = tables.selectFrom('amended_scores').select(SCORE_COLUMNS).where('round_id', '=', roundId);
  if (isFirst) await tables.insertInto('scores').columns(SCORE_COLUMNS).expression(own.orderBy('agent_id')).execute();
  const changed = tables
    .selectFrom('amended_scores as n')
    .$if(isFirst, (all) => all.where('n.round_id', '<>', roundId));
  const before = changed.leftJoin(SCORES.as('o'), (on) =>
    on.onRef('o.round_id', '=', 'n.round_id').onRef('o.agent_id', '=', 'n.agent_id'),
  );
  await tables
    .insertInto('score_corrections')
    .columns(['amendment_id', 'round_id', 'agent_id', 'counted', ...SCORE_FIGURES])
    .expression(
      before
        .select((of) => of.cast<number>(of.val(amendmentId), 'integer').as('amendment_id'))
        .select(['n.round_id', 'n.agent_id'])
        .select(COUNTED.as('counted'))
        .select(SCORE_FIGURES.map((name) => difference(name).as(name))),
    )
    .execute();
  const columns = ['counted', ...SCORE_FIGURES] as const;
  await tables
    .insertInto('corrected_scores')
    .columns(['round_id', 'agent_id', ...columns])
    .expression(changed.select(['round_id', 'agent_id', ...columns]))
    .onConflict((stored) =>
      stored
        .columns(['round_id', 'agent_id'])
        .doUpdateSet((of) => Object.fromEntries(columns.map((name) => [name, of.ref(`excluded.${name}`)]))),
    )
    .execute();
}

/** The new score `n`, and the old one `o`. */
const is = expressionBuilder<{ n: AmendmentTables['amended_scores']; o: DB['scores'] }, 'n' | 'o'>();
const WAS_COUNTED = is.cast<number>(is('o.agent_id', 'is not', null), 'integer');
const COUNTED = is(is.cast<number>('n.counted', 'integer'), '-', WAS_COUNTED);

/** A figure of the new score minus that of the old one; without a score it is 0. */
function difference(name: (typeof SCORE_FIGURES)[number]) {
  const figureOf = (alias: 'n' | 'o') => {
    const figure = name === 'is_correct' ? is.cast(`${alias}.${name}`, 'integer') : is.ref(`${alias}.${name}`);
    return is.fn.coalesce(figure.$castTo<number | null>(), is.lit(0));
  };
  const now = is.case().when(is.ref('n.counted')).then(figureOf('n')).else(is.lit(0)).end();
  return is(now, '-', figureOf('o'));
}
