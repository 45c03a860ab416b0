import { GRID_POINTS } from '../../src/rules/grid.ts';
import { Round } from '../../src/entities/round.ts';
import { applyOutcome, applyVoid } from '../../src/jobs/apply-outcome.ts';
import type { References } from '../../src/rules/payoffs.ts';
import { RULES_VERSION, type RulesVersion } from '../../src/rules/versions.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import type { Arena } from '../support/arena.ts';

/** Hour 0 of the tests that insert rounds themselves. */
const FIRST_HOUR = Date.parse('2026-01-01T00:00:00Z');

/** The grounds of decisions that a test makes up. */
const NO_CANDLES = {
  market: scriptedMarket(),
  verdict: { candles: [], evidence: [], problem: null, late: [], answered: 1, needed: 1 },
};

export interface InsertedPrediction {
  readonly agentId: number;
  /** The first choice, unless told otherwise. */
  readonly prediction?: string;
  readonly confidence: number;
  /** Milliseconds after the round's start. */
  readonly afterMs?: number;
}

export interface InsertedRound {
  /** The hour that it covers, counted from 2026-01-01 00:00 UTC. */
  readonly hour: number;
  /** YES and NO, unless told otherwise. */
  readonly choices?: readonly string[];
  /** What it is about, for tallies; nothing unless told otherwise. */
  readonly assets?: readonly string[];
  readonly predictions: readonly InsertedPrediction[];
  /** The newest unless given. */
  readonly rulesVersion?: RulesVersion;
}

function startOf(hour: number): Date {
  return new Date(FIRST_HOUR + hour * 3_600_000);
}

type Inserting = Pick<Arena, 'query' | 'newEm'>;

export function endOf(hour: number): Date {
  return startOf(hour + 1);
}

/** What the price alone says of these choices, at two of three points of the grid; nothing is known at the others. */
export function someReferences(choices: readonly string[]): References {
  const points = Array.from({ length: GRID_POINTS }, (_, point) => point).filter((point) => point % 3 !== 0);
  return new Map(points.map((point) => [point, choices.map(() => 1 / choices.length)]));
}

/** Puts a round that waits for its outcome and its predictions straight into the database, in the order given. */
async function insertRound(
  arena: Inserting,
  { hour, choices = ['YES', 'NO'], assets = [], predictions, rulesVersion = RULES_VERSION }: InsertedRound,
): Promise<Round> {
  const confidences = predictions.reduce((sum, { confidence }) => sum + confidence, 0);
  const [row] = await arena.query<{ id: number }>(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source,
       total_entries, confidence_sum, rules_version)
     values ($1, $2, 'resolving', 'direction', 'boolean', 'inserted by a test', $3, 'scripted', $4, $5, $6) returning id`,
    [startOf(hour), endOf(hour), JSON.stringify(choices), predictions.length, confidences, rulesVersion],
  );
  if (row === undefined) throw new Error('The insert answered no id');
  const rows = predictions.map((one) => ({
    prediction: choices[0],
    ...one,
    at: new Date(startOf(hour).getTime() + (one.afterMs ?? 0)),
  }));
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
     select $1, p."agentId", p.prediction, p.confidence, p.at
     from jsonb_to_recordset($2) as p("agentId" int, prediction text, confidence int, at timestamptz)`,
    [row.id, JSON.stringify(rows)],
  );
  await arena.query(
    `insert into round_assets (round_id, asset, position, provider_id) select $1, asset, 0, asset from unnest($2::text[]) asset`,
    [row.id, assets],
  );
  return arena.newEm().findOneOrFail(Round, { id: row.id });
}

/** How a round is decided. */
export interface Ruling {
  /** Null makes it void. */
  readonly answer: string | null;
  /** The hour at whose end it is decided; its own, unless told otherwise. */
  readonly inHour?: number;
  readonly references?: References;
  readonly rebuildFrom?: number;
}

/** Puts a round with its predictions into the database, and decides it. */
export async function insertDecided(
  arena: Inserting,
  round: InsertedRound,
  { answer, inHour = round.hour, ...more }: Ruling,
): Promise<{ readonly id: number; readonly attached: readonly string[] }> {
  const inserted = await insertRound(arena, round);
  const ruled = { ...NO_CANDLES, now: endOf(inHour), ...more };
  if (answer === null) await applyVoid(arena.newEm(), inserted, { ...ruled, reason: 'tie' });
  const applied = answer === null ? null : await applyOutcome(arena.newEm(), inserted, { ...ruled, answer });
  return { id: inserted.id, attached: applied?.attached ?? [] };
}
