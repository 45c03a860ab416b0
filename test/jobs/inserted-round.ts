import { GRID_POINTS } from '../../src/rules/grid.ts';
import { Round } from '../../src/entities/round.ts';
import { applyDecision } from '../../src/jobs/resolve/apply-decision.ts';
import type { References } from '../../src/rules/payoffs.ts';
import { RULES_VERSION, type RulesVersion } from '../../src/rules/versions.ts';
import { scriptedMarket } from '../support/scripted-market.ts';
import { type Arena, LOGGING } from '../support/arena.ts';

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
  /** It was standing, and set so many milliseconds after the round's start, or before it. */
  readonly setMs?: number;
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
       total_entries, confidence_sum, rules_version, standing_at)
     values ($1, $2, 'resolving', 'direction', 'boolean', 'inserted by a test', $3, 'scripted', $4, $5, $6, $7) returning id`,
    [
      startOf(hour),
      endOf(hour),
      JSON.stringify(choices),
      predictions.length,
      confidences,
      rulesVersion,
      predictions.some(({ setMs }) => setMs !== undefined) ? startOf(hour) : null,
    ],
  );
  if (row === undefined) throw new Error('The insert answered no id');
  const rows = predictions.map((one) => ({
    prediction: choices[0],
    ...one,
    at: new Date(startOf(hour).getTime() + (one.afterMs ?? 0)),
    setAt: one.setMs === undefined ? null : new Date(startOf(hour).getTime() + one.setMs),
  }));
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, standing, set_at)
     select $1, p."agentId", p.prediction, p.confidence, p.at, p."setAt" is not null, p."setAt"
     from jsonb_to_recordset($2) as p("agentId" int, prediction text, confidence int, at timestamptz, "setAt" timestamptz)`,
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
  /** Called with the round's id before it is decided. */
  readonly beforeDecided?: (roundId: number, arena: Inserting) => Promise<unknown>;
}

/** Puts a round with its predictions into the database, and decides it. */
export async function insertDecided(
  arena: Inserting,
  round: InsertedRound,
  { answer, inHour = round.hour, beforeDecided, ...more }: Ruling,
): Promise<{ readonly id: number }> {
  const inserted = await insertRound(arena, round);
  await beforeDecided?.(inserted.id, arena);
  const decision =
    answer === null ? ({ outcome: null, voidReason: 'tie' } as const) : { outcome: answer, voidReason: null };
  await applyDecision(arena.newEm(), inserted, {
    ...NO_CANDLES,
    references: new Map(),
    now: endOf(inHour),
    deps: LOGGING,
    ...more,
    decision,
  });
  return { id: inserted.id };
}
