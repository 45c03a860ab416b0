import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { givenRows, replaceRows } from '../../entities/given-rows.ts';
import type { DB } from '../../entities/tables.ts';
import { RESOLVED_COLUMNS } from '../../reads/forecast-record.ts';
import { json } from '../../reads/forecasts.ts';
import { anyOf } from '../../reads/fragments.ts';
import { IN_FORCE } from '../../reads/scores.ts';
import { ALL_KINDS, NO_RECORD, type RecordKind, recordWith } from '../../rules/forecast/record.ts';
import { binSums } from '../../rules/forecast/reliability.ts';
import { kindsOf } from '../../rules/kinds.ts';

/** Adds the missing scores to the sums of this round's kinds and to the sums of all rounds. */
export async function addForecastSums(
  transaction: SqlEntityManager,
  round: Parameters<typeof kindsOf>[0],
): Promise<void> {
  const kinds: readonly RecordKind[] = [ALL_KINDS, ...kindsOf(round)];
  const tables = transaction.getKysely<DB>();
  const stored = await tables.selectFrom('forecast_sums').where('kind', '=', anyOf(kinds)).selectAll().execute();
  const added = await scoresAfter(
    transaction,
    kinds.map((kind) => ({ kind, as_of: newestOf(stored.filter((one) => one.kind === kind)) })),
  );
  const rows = [...Map.groupBy(added, ({ kind, minute }) => `${kind} ${minute}`).values()].flatMap((scores) => {
    const newest = scores.at(-1);
    if (newest === undefined) return [];
    const { kind, minute, decidedAt } = newest;
    const before = stored.find((one) => one.kind === kind && one.minute === minute);
    // Those of all rounds are in forecast_reliability.
    const bins = kind === ALL_KINDS ? [] : binSums(scores, before?.bins);
    return [{ kind, minute, as_of: decidedAt, sums: scores.reduce(recordWith, before?.sums ?? NO_RECORD), bins }];
  });
  await replaceRows(transaction, 'forecast_sums', rows, 'as_of');
}

/** Computes the sums anew after an amendment of this round, since scores are added in the order of decisions. */
export async function amendForecastSums(
  transaction: SqlEntityManager,
  round: Parameters<typeof kindsOf>[0],
): Promise<void> {
  const kinds = [ALL_KINDS, ...kindsOf(round)];
  await transaction.getKysely<DB>().deleteFrom('forecast_sums').where('kind', '=', anyOf(kinds)).execute();
  await addForecastSums(transaction, round);
}

function newestOf(stored: readonly { readonly as_of: Date }[]): Date {
  return new Date(Math.max(0, ...stored.map(({ as_of: at }) => at.getTime())));
}

/** Scores in force of each kind that were decided after its time, in the order of the decisions. */
function scoresAfter(
  transaction: SqlEntityManager,
  kinds: readonly { readonly kind: RecordKind; readonly as_of: Date }[],
) {
  const oldest = new Date(Math.min(...kinds.map(({ as_of: at }) => at.getTime())));
  return (
    transaction
      .getKysely<DB>()
      .selectFrom('forecast_scores as s')
      .innerJoin('rounds as r', 'r.id', 's.round_id')
      .innerJoin(givenRows('forecast_sums', kinds), (on) => on.onRef('s.decided_at', '>', 'given.as_of'))
      // The vectors are for bins alone: those of the whole history are not read.
      .leftJoin('round_forecasts as f', (on) =>
        on
          .onRef('f.round_id', '=', 's.round_id')
          .onRef('f.minute', '=', 's.minute')
          .on('given.kind', '<>', sql.lit(ALL_KINDS)),
      )
      .where((of) => of('given.kind', 'in', [sql.lit(ALL_KINDS), of.ref('r.question_type'), of.ref('r.subject')]))
      .where('s.decided_at', '>', oldest)
      .where('r.status', '=', 'resolved')
      .where(IN_FORCE)
      .orderBy('s.decided_at')
      .orderBy('s.minute')
      .select([
        'given.kind',
        's.minute',
        's.decided_at as decidedAt',
        's.brier',
        json('s', 'expert_briers').as('expertBriers'),
      ])
      .select(({ fn }) => fn<number>('jsonb_array_length', ['r.choices']).as('choiceCount'))
      .select(RESOLVED_COLUMNS)
      .execute()
  );
}
