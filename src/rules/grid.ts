import { HOUR, SECOND } from './hours.ts';

/** The instants of a round at which the reference stands: 0, 15, ... 3585 s after its start, numbered from 0. */
export const GRID_MS = 15 * SECOND;

/** How many grid points an hour has: 240. */
export const GRID_POINTS = HOUR / GRID_MS;

/** The number of the last grid point at or before `time`; below 0 before the hour, 239 from its last point on. */
export function gridPointAt(hourStart: Date, time: Date): number {
  return Math.min(Math.floor((time.getTime() - hourStart.getTime()) / GRID_MS), GRID_POINTS - 1);
}

/** The instant of grid point number `point`. */
export function gridTime(hourStart: Date, point: number): Date {
  return new Date(hourStart.getTime() + point * GRID_MS);
}

/** Whole seconds from grid point number `point` to the end of the hour: 3600 at the first one, 15 at the last. */
export function gridSecondsLeft(point: number): number {
  return (HOUR - point * GRID_MS) / SECOND;
}
