import { AGENTS, currentRound, honestPhase, registerAgents } from './honest-clients.ts';
import { beginAttack, countsOf, type Found, hostileSite, type HostileSite, measured, statusOf } from './hostile.ts';
import type { Row } from './rows/row.ts';
import { percentile } from './table.ts';

const PHASE_MS = 20_000;
/** Every run's bound on a quiet machine, beside 201 for each submission. */
const P99_MS = 200;
const CREATED = 201;

/**
 * A short `hostile` without a quiet phase, `repetitions` times: 200 submissions in 20 s, each run on a fresh process with the
 * same history.
 */
export const hostileRuns: Row = async ({ repetitions }) => {
  await using site = await hostileSite();
  let good = 0;
  for (let run = 1; run <= repetitions; run += 1) {
    if (run > 1) await site.start();
    const found = await attackedOnce(site, run);
    if (isGood(found)) good += 1;
    process.stdout.write(`${String(run).padStart(3)}  ${isGood(found) ? 'good' : 'BAD '}  ${lineOf(found)}\n`);
    await site.stop();
  }
  return `${good} of ${repetitions} runs: ${AGENTS} of ${AGENTS} submissions, p99 of them and of /livez at most ${P99_MS} ms`;
};

async function attackedOnce(site: HostileSite, run: number): Promise<Found> {
  const { url } = site.target();
  const agents = await registerAgents(url, run);
  const round = await currentRound(url);
  await using _attack = await beginAttack(site, run);
  return await measured(site.target(), () => honestPhase({ url, round, phaseMs: PHASE_MS }, agents));
}

function isGood({ submissions, lookups }: Found): boolean {
  const areTaken = submissions.every(({ status }) => status === CREATED);
  return areTaken && [submissions, lookups].every((answers) => percentile(msOf(answers), 0.99) <= P99_MS);
}

function lineOf({ submissions, lookups, waiting, load }: Found): string {
  const parts = [
    ...[submissions, lookups].map((answers, place) => {
      const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(msOf(answers), share).toFixed(0));
      const name = place === 0 ? 'submissions' : '/livez';
      return `${name} ${countsOf(answers.map(statusOf))}, p50 ${p50}, p99 ${p99}, longest ${longest} ms`;
    }),
    `${waiting} connections not taken at most`,
    `load ${load.toFixed(1)}`,
  ];
  return parts.join('; ');
}

function msOf(answers: Found['submissions']): readonly number[] {
  return answers.map(({ ms }) => ms);
}
