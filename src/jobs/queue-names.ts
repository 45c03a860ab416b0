/** The queue of rounds that are over; one job a round. */
export const RESOLUTIONS = 'resolve-round';

/** The queue that turns the hours. */
export const CYCLES = 'round-cycle';

/** The job that resolves a round. */
export function resolutionJob(roundId: number): string {
  return `resolve-${roundId}`;
}
