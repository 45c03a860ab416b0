import { setImmediate as nextTurn } from 'node:timers/promises';

import { steadyMs } from './clock.ts';

/** The longest that work may hold the event loop before others have their turn, in real milliseconds. */
const TURN_MS = 8;

/** When the present turn of the event loop was first asked about; null before. */
let began: number | null = null;

/** Whether work has held the event loop for so long, whoever's it was, that others should have their turn. */
export function isTurnOver(): boolean {
  if (began !== null) return steadyMs() - began >= TURN_MS;
  began = steadyMs();
  setImmediate(() => (began = null));
  return false;
}

/** Resolves in a turn of the event loop that has room for work. */
export async function ownTurn(): Promise<void> {
  while (isTurnOver()) await nextTurn();
}
