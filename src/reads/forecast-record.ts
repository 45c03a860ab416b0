import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { expressionBuilder } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { CHECKPOINTS, type Checkpoint } from '../rules/forecast/forecast.ts';
import {
  ALL_KINDS,
  NO_RECORD,
  type RecordKind,
  type RecordSums,
  recordWith,
  roundsOfKind,
} from '../rules/forecast/record.ts';
import { binSums, type BinSums } from '../rules/forecast/reliability.ts';
import type { Period } from '../rules/windows.ts';
import { json } from './forecasts.ts';
import { type AliasedTables, anyOf } from './fragments.ts';
import { windowRounds } from './rounds.ts';
import { IN_FORCE } from './scores.ts';
import { numberedItems } from './table-functions.ts';

export interface CheckpointSums extends RecordSums {
  readonly minute: Checkpoint;
}

/** The bins of all checkpoints are read once, where any is selected. */
export interface CheckpointRecord extends CheckpointSums {
  readonly bins: () => Promise<readonly BinSums[]>;
}

export interface RecordWindow {
  readonly kind: RecordKind;
  readonly window: Period;
}

const is = expressionBuilder<AliasedTables<{ r: 'rounds' }>, 'r'>();

/** The stored sums of each kind over all time, in the given order; a row for each checkpoint. */
export async function storedRecords(
  em: SqlEntityManager,
  kinds: readonly RecordKind[],
): Promise<readonly (readonly CheckpointSums[])[]> {
  const found = await em
    .getKysely<DB>()
    .selectFrom('forecast_sums as t')
    .where('t.kind', '=', anyOf(kinds))
    .select(['t.kind', 't.minute', 't.sums'])
    .execute();
  return kinds.map((kind) =>
    CHECKPOINTS.map((minute) => {
      const { sums = NO_RECORD } = found.find((one) => one.kind === kind && one.minute === minute) ?? {};
      return { ...sums, minute };
    }),
  );
}

/** The same over the rounds of a shorter window, which are bounded. */
export async function windowRecord(
  em: SqlEntityManager,
  recordWindow: RecordWindow,
): Promise<readonly CheckpointSums[]> {
  const scores = await windowScores(em, recordWindow)
    .orderBy('s.decided_at')
    .select(['s.minute', 's.brier', json('s', 'expert_briers').as('expertBriers'), 'w.choice_count as choiceCount'])
    .execute();
  return CHECKPOINTS.map((minute) => ({
    ...scores.filter((one) => one.minute === minute).reduce(recordWith, NO_RECORD),
    minute,
  }));
}

function windowScores(em: SqlEntityManager, { kind, window }: RecordWindow) {
  return em
    .getKysely<DB>()
    .selectFrom('forecast_scores as s')
    .innerJoin(windowRounds({ window, ...roundsOfKind(kind) }).as('w'), 'w.id', 's.round_id')
    .where(IN_FORCE);
}

const WINNER = is
  .selectFrom(numberedItems('c', is.fn<string>('jsonb_array_elements_text', ['r.choices'])))
  .whereRef('c.item', '=', 'r.outcome')
  .select((of) => of(of.cast<number>('c.place', 'integer'), '-', of.lit(1)).as('winner'));

const recorded = expressionBuilder<AliasedTables<{ f: 'round_forecasts' }>, 'f'>();

/** A recorded forecast `f` of a resolved round `r`, as `ResolvedForecast` has it, but its minute. */
export const RESOLVED_COLUMNS = [
  recorded.ref('f.entries').as('entries'),
  json('f', 'probabilities').as('probabilities'),
  json('f', 'said').as('said'),
  WINNER.$asScalar().$notNull().as('winner'),
] as const;

/** Counts of probabilities and outcomes: stored for all time, and summed from the rounds of a shorter window. */
export async function reliabilitySums(em: SqlEntityManager, recordWindow: RecordWindow): Promise<readonly BinSums[]> {
  const tables = em.getKysely<DB>();
  if (recordWindow.window === 'alltime') {
    if (recordWindow.kind === ALL_KINDS) return tables.selectFrom('forecast_reliability').selectAll().execute();
    const stored = tables.selectFrom('forecast_sums as t').where('t.kind', '=', recordWindow.kind).select('t.bins');
    return (await stored.execute()).flatMap(({ bins }) => bins);
  }
  const resolved = await windowScores(em, recordWindow)
    .innerJoin('rounds as r', 'r.id', 's.round_id')
    .innerJoin('round_forecasts as f', (on) =>
      on.onRef('f.round_id', '=', 's.round_id').onRef('f.minute', '=', 's.minute'),
    )
    .select('s.minute')
    .select(RESOLVED_COLUMNS)
    .execute();
  return binSums(resolved);
}
