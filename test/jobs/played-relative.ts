import { resolveRound, type AttemptResult } from '../../src/jobs/resolve/resolve-round.ts';
import { addHours } from '../../src/rules/hours.ts';
import type { Arena } from '../support/arena.ts';
import { assetOf, hourAsking, type PlayedRound, playRound } from './played-round.ts';

/** Two assets of which the first gains 1 % and the second 0.5 %; agents 1 and 3 pick the first, agent 2 the second. */
export async function playRelative(arena: Arena): Promise<PlayedRound> {
  const start = hourAsking('relative', new Date('2026-01-01T12:00:00Z'));
  const round = await playRound(arena, start, [
    [1, 0, 85],
    [2, 1, 60],
    [3, 0, 30],
  ]);
  arena.market.script(assetOf(round, 0), start, ['200', '203.5', '199', '202']);
  arena.market.script(assetOf(round, 1), start, ['0.0800', '0.0900', '0.0800', '0.0804']);
  return round;
}

/** Resolves the round so many hours after its end. */
export function resolve(arena: Arena, round: PlayedRound, afterHours = 0): Promise<AttemptResult> {
  return resolveRound(arena, round.id, { now: addHours(round.end, afterHours) });
}
