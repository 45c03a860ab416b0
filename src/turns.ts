import { setImmediate as nextTurn } from 'node:timers/promises';

import { steadyMs } from './clock.ts';

/** Maximum real milliseconds of work in one turn of the event loop. */
const TURN_MS = 8;

let began: number | null = null;

/** True once the present turn has lasted `TURN_MS`; its first call begins the time. */
export function isTurnOver(): boolean {
  if (began !== null) return steadyMs() - began >= TURN_MS;
  began = steadyMs();
  setImmediate(() => (began = null));
  return false;
}

export async function ownTurn(): Promise<void> {
  while (isTurnOver()) await nextTurn();
}
