import { z } from 'zod';

import { UNDECIDED_STATUSES } from '../../rules/round-states.ts';
import { byDecision, DECIDED_ROUND, type DecidedRound, lastDecidedAt } from './decided-round.ts';
import { SECONDS } from './instants.ts';
import {
  ARCHIVED_PREDICTION,
  archivedResult,
  type ArchivedPrediction,
  PREDICTION,
  type Prediction,
} from './prediction.ts';
import { readDetails, type RoundDetails } from './round-details.ts';
import type { ServiceClient } from './service-client.ts';
import type { RoundRange } from '../settings.ts';

export interface ReadRound {
  readonly round: DecidedRound;
  readonly predictions: readonly Prediction[];
  readonly details: RoundDetails;
}

/** Decided rounds change by amendments only, so later reads fetch only new and amended rounds. */
export interface History {
  readonly rounds: readonly DecidedRound[];
  readonly open: readonly OpenRound[];
  /** Ids within the range of rounds whose predictions only an archive that was not given has. */
  readonly archiveOnly: readonly number[];
  readonly read: ReadonlyMap<number, ReadRound>;
}

export const NOTHING_READ: History = { rounds: [], open: [], archiveOnly: [], read: new Map() };

const OPEN_ROUND = z.object({ id: z.int(), status: z.enum(UNDECIDED_STATUSES), start_time: SECONDS });
type OpenRound = z.infer<typeof OPEN_ROUND>;
const ANY_ROUND = z.union([DECIDED_ROUND, OPEN_ROUND]);

/** Reads all decided rounds, and details within `range` (null: all) that `before` lacks. */
export async function readHistory(client: ServiceClient, range: RoundRange | null, before: History): Promise<History> {
  const rounds: DecidedRound[] = [];
  const open: OpenRound[] = [];
  for await (const round of client.lines('/api/export/rounds.ndjson', ANY_ROUND)) {
    if ('decided_at' in round) rounds.push(round);
    else open.push(round);
  }
  const inRange = rounds.filter(({ id }) => range === null || (id >= range.first && id <= range.last));
  const needsArchive = ({ id, archived }: DecidedRound) => archived === 1 && !client.months.has(id);
  const isKnown = (round: DecidedRound): boolean => {
    const known = before.read.get(round.id);
    return known !== undefined && lastDecidedAt(known.round).getTime() === lastDecidedAt(round).getTime();
  };
  const missing = inRange.filter((round) => !isKnown(round) && !needsArchive(round));
  const read = new Map(before.read);
  if (missing.length > 0) {
    const details = await readDetails(client, missing);
    const predictions = await readPredictions(client, missing);
    for (const round of missing) {
      const ofRound = details.get(round.id);
      if (ofRound === undefined) throw new Error(`Nothing was read of round ${round.id}`);
      read.set(round.id, { round, predictions: predictions.get(round.id) ?? [], details: ofRound });
    }
    await addArchived(client, read);
  }
  const archiveOnly = inRange.filter(needsArchive).map(({ id }) => id);
  return { rounds: rounds.toSorted(byDecision), open, archiveOnly, read };
}

export function isWhole({ rounds, read }: History): boolean {
  return rounds.every(({ id, status }) => status === 'void' || read.has(id));
}

async function readPredictions(
  client: ServiceClient,
  rounds: readonly DecidedRound[],
): Promise<ReadonlyMap<number, Prediction[]>> {
  const from = new Date(Math.min(...rounds.map((round) => round.start_time.getTime()))).toISOString();
  const to = new Date(Math.max(...rounds.map((round) => round.end_time.getTime()))).toISOString();
  const found = new Map<number, Prediction[]>(rounds.map(({ id }) => [id, []]));
  const path = `/api/export/predictions.ndjson?from=${from}&to=${to}`;
  for await (const prediction of client.lines(path, PREDICTION)) found.get(prediction.round_id)?.push(prediction);
  return found;
}

/** Adds to archived rounds what only their archives have. */
async function addArchived({ months }: ServiceClient, read: Map<number, ReadRound>): Promise<void> {
  const found = new Map<number, ArchivedPrediction[]>();
  for (const { round, predictions } of read.values())
    if (round.archived === 1 && predictions.length === 0) found.set(round.id, []);
  if (found.size === 0) return;
  for await (const one of months.lines('predictions', ARCHIVED_PREDICTION)) found.get(one.round_id)?.push(one);
  for (const [id, predictions] of found) {
    const one = read.get(id);
    const results = predictions.toSorted((left, right) => (left.place ?? 0) - (right.place ?? 0)).map(archivedResult);
    if (one !== undefined) read.set(id, { ...one, predictions, details: { ...one.details, results } });
  }
}
