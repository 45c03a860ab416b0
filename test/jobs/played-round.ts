import { reconcile } from '../../src/jobs/cycle/round-cycle.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import type { Asset } from '../../src/rules/assets.ts';
import { addHours, HOUR, MINUTE } from '../../src/rules/hours.ts';
import type { QuestionType } from '../../src/rules/questions/question.ts';
import { planOf } from '../../src/rules/questions/asking.ts';
import { manualClock } from '../support/manual-clock.ts';
import { type Arena, hashOf } from '../support/arena.ts';

/** A round that is over and waits for its outcome. */
export interface PlayedRound {
  readonly id: number;
  readonly start: Date;
  readonly end: Date;
  readonly choices: readonly string[];
  readonly assets: readonly Asset[];
}

/** The asset at that place of the round's question. */
export function assetOf({ assets }: PlayedRound, place = 0): Asset {
  const asset = assets[place];
  if (asset === undefined) throw new Error(`The question has no asset ${place}`);
  return asset;
}

/** The first hour from `from` on that asks a question of this type. */
export function hourAsking(questionType: QuestionType, from: Date): Date {
  for (let ahead = 0; ahead < 13; ahead += 1) {
    const hour = addHours(from, ahead);
    if (planOf(hour).questionType === questionType) return hour;
  }
  throw new Error(`No hour asks ${questionType}`);
}

/** `[agentId, index of the pick among the choices, confidence]`, a minute apart. */
export type Played = readonly [agentId: number, pick: number, confidence: number];

/** Opens the hour's round, submits the predictions in it, and closes it at its end. */
export async function playRound(arena: Arena, start: Date, played: readonly Played[] = []): Promise<PlayedRound> {
  await reconcile(arena, start);
  const round = await roundOf(arena, start);
  const clock = manualClock(start.toISOString());
  const writer = predictionWriter(arena.statements, clock, 0);
  for (const [place, [agentId, pick, confidence]] of played.entries()) {
    clock.set(new Date(start.getTime() + place * MINUTE));
    const prediction = round.choices[pick] ?? '';
    const accepted = await writer.write({
      roundId: round.id,
      keyHash: hashOf(agentId),
      prediction,
      confidence,
      idempotencyKey: null,
    });
    if (accepted === null) throw new Error(`Agent ${agentId} was not taken`);
  }
  await reconcile(arena, round.end);
  return round;
}

async function roundOf(arena: Arena, start: Date): Promise<PlayedRound> {
  const [row] = await arena.query<{ id: number; choices: string[]; assets: Asset[] }>(
    `select id, choices, (select array_agg(asset order by position) from round_assets where round_id = rounds.id) as assets
     from rounds where start_time = $1`,
    [start],
  );
  if (row === undefined) throw new Error(`No round starts at ${start.toISOString()}`);
  return { ...row, start, end: new Date(start.getTime() + HOUR) };
}
