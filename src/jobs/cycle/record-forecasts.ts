import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { givenRows } from '../../entities/given-rows.ts';
import type { DB } from '../../entities/tables.ts';
import { appendEvents } from '../../feed/event-log.ts';
import { type ForecastRound, readForecastInputs } from '../../forecasts/forecast-inputs.ts';
import { fillEvidence } from '../../references/fill-evidence.ts';
import { pointReferences, referenceLookup } from '../../references/references.ts';
import { type Checkpoint, checkpointPoint, CHECKPOINTS, RECORDING_MS } from '../../rules/forecast/forecast.ts';
import { forecastFrom, newPools, pointsNeeded } from '../../rules/forecast/made.ts';
import { joinedByPoint } from '../../rules/forecast/said.ts';
import type { Picks } from '../../rules/predictions.ts';
import { appendRecord } from '../../transparency/append.ts';
import { forecastLeaf, picksDigest } from '../../transparency/record-digests.ts';
import { addHours, hourOf, MINUTE } from '../../rules/hours.ts';
import type { ResolvingDeps } from '../resolve/waiting-rounds.ts';

export interface RecordingDeps extends Omit<ResolvingDeps, 'log'> {
  readonly randomBytes: (count: number) => Buffer;
  /** Decides if answers and forecasts are public while the round runs. */
  readonly picks: Picks;
}

/** The next instant after `now` at which something is to be recorded. */
export function nextCheckpoint(now: Date): Date {
  const hour = hourOf(now);
  const times = [hour, addHours(hour, 1)].flatMap((start) => CHECKPOINTS.map((minute) => timeOf(start, minute)));
  return times.find((time) => time > now) ?? addHours(hour, 1);
}

/** Records the forecast of the running round at a due checkpoint, unless it is recorded. Safe to run twice or at once. */
export async function recordForecasts(deps: RecordingDeps): Promise<void> {
  const now = deps.clock.now();
  const start = hourOf(now);
  const minute = CHECKPOINTS.find((one) => isDue(start, one, now));
  if (minute === undefined) return;
  const found = await deps
    .newEm()
    .getKysely<DB>()
    .selectFrom('rounds as r')
    .leftJoin('round_forecasts as f', (on) => on.onRef('f.round_id', '=', 'r.id').on('f.minute', '=', minute))
    .select(['r.id', 'r.choices'])
    .where('r.start_time', '=', start)
    .where('r.status', '=', 'active')
    .where('f.minute', 'is', null)
    .executeTakeFirst();
  if (found === undefined) return;
  const round = { ...found, startTime: start };
  const made = await forecastNow(deps, round, minute);
  const recordedAt = deps.clock.now();
  if (made === null || !isDue(start, minute, recordedAt)) return;
  await store(deps, { ...made, roundId: round.id, minute, recordedAt });
  deps.announce();
}

function timeOf(start: Date, minute: Checkpoint): Date {
  return new Date(start.getTime() + minute * MINUTE);
}

function isDue(start: Date, minute: Checkpoint, now: Date): boolean {
  const late = now.getTime() - timeOf(start, minute).getTime();
  return late >= 0 && late <= RECORDING_MS;
}

async function forecastNow({ newEm, market, clock }: RecordingDeps, round: ForecastRound, minute: Checkpoint) {
  const { id: roundId, choices } = round;
  const point = checkpointPoint(minute);
  const { totals, decidedUntil, predictions } = await readForecastInputs(newEm(), round);
  const before = joinedByPoint(predictions).filter((one) => one.point < point);
  const points = pointsNeeded(before, point);
  const mayFill = ({ source }: { readonly source: string }): boolean => source === market.source;
  const filled = await fillEvidence({ newEm, market }, [{ roundId, points }], { now: clock.now(), mayFill });
  const evidence = filled.get(roundId);
  if (evidence === undefined) return null;
  const referenceAtPoint = referenceLookup(await pointReferences(evidence, points));
  const pools = newPools(choices);
  pools.add(before, referenceAtPoint);
  return { ...forecastFrom({ choices, pools: pools.all, totals, referenceAtPoint }, point), choices, decidedUntil };
}

type CheckpointForecast = NonNullable<Awaited<ReturnType<typeof forecastNow>>>;

const SALT_BYTES = 16;

const FORECAST = [
  'round_id',
  'minute',
  'entries',
  'recorded_at',
  'decided_until',
  'unpriced',
  'probabilities',
  'said',
  'weights',
] as const;

/** Does nothing when the round is over: a forecast that is written once the outcome may be known proves nothing. */
async function store(
  deps: RecordingDeps,
  recorded: CheckpointForecast & { readonly roundId: number; readonly minute: Checkpoint; readonly recordedAt: Date },
): Promise<void> {
  const { newEm, picks, randomBytes } = deps;
  const { roundId, choices, minute, entries, recordedAt, decidedUntil, unpriced, probabilities, weights } = recorded;
  const said = recorded.said.flat();
  const byAnswer = (vector: readonly number[] = []) =>
    Object.fromEntries(choices.map((answer, place) => [answer, vector[place] ?? 0]));
  const shown = { probabilities: byAnswer(probabilities), price: byAnswer(recorded.said[0]) };
  const times = { recorded_at: recordedAt, decided_until: decidedUntil };
  const vectors = { unpriced, probabilities, said, weights };
  const forecast = { round_id: roundId, minute, entries, ...times, ...vectors };
  const salt = randomBytes(SALT_BYTES).toString('hex');
  const picked = { roundId, entries, salt };
  const digest = (transaction: SqlEntityManager) => picksDigest(transaction, picked);
  const sealed = { salt, picks: picks === 'open' ? null : await newEm().transactional(digest) };
  const leaf = forecastLeaf({ roundId, minute, recordedAt, entries, probabilities, said, weights }, sealed);
  const payload = { minute, entries, ...(picks === 'open' ? shown : {}) };
  await newEm().transactional(async (transaction) => {
    const stored = await transaction
      .getKysely<DB>()
      .insertInto('round_forecasts')
      .columns(FORECAST)
      .expression((of) =>
        of
          .selectFrom(givenRows('round_forecasts', [forecast]))
          .innerJoin('rounds as r', 'r.id', 'given.round_id')
          .select(FORECAST)
          .where('r.status', '=', 'active'),
      )
      .onConflict((other) => other.doNothing())
      .returning('minute')
      .executeTakeFirst();
    if (stored === undefined) return;
    await appendRecord(transaction, deps, { kind: 'forecast', roundId, leaf, salt, at: recordedAt });
    await appendEvents(transaction, recordedAt, [{ kind: 'FORECAST', roundId, payload }]);
  });
}
