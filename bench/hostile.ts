import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { deployment } from '../test/support/deployment.ts';
import { currentRound, type Honest, honestPhase, registerAgents } from './honest-clients.ts';
import { RECORDS } from './hostile-attacks.ts';
import type { Attack, Loot } from './hostile-clients.ts';
import { fillHistory } from './hostile-history.ts';
import { type Usage, watchUsage } from './service-usage.ts';
import { percentile, table } from './table.ts';
import type { Answered } from './timed-request.ts';

const HOSTILE_CLIENTS = 4;

/** The number of hostile clients and their attack; null: all attacks. */
interface Crowd {
  readonly count: number;
  readonly only: Attack['only'];
}

const EVERYBODY: Crowd = { count: HOSTILE_CLIENTS, only: null };
const PHASE_MS = 60_000;
/** The attacks run this long before the measurement. */
const WARM_UP_MS = 10_000;
const MEGABYTE = 1024 * 1024;
const SHARES = [
  { title: 'p50', share: 0.5 },
  { title: 'p99', share: 0.99 },
  { title: 'longest', share: 1 },
] as const;

export interface Found extends Honest, Usage {
  /** Runnable processes in the last minute: above 2 on two processors, figures include waits. */
  readonly load: number;
}

/**
 * 200 agents submit once over a minute while a probe checks the process ten times a second: first alone, then beside attacks.
 * Four hostile clients replay the log, introspect, hold exports, read nothing and filter for nothing. The service is its own
 * process with 300,000 predictions and limits on. Each client has its own loopback address, which only Linux allows.
 */
export async function hostile(): Promise<string> {
  return underAttack(EVERYBODY);
}

/** The same beside one address that queries a year of agents' records, four at a time within its limits. */
export async function records(): Promise<string> {
  return underAttack({ count: 1, only: { name: RECORDS, clients: HOSTILE_CLIENTS } });
}

async function underAttack(crowd: Crowd): Promise<string> {
  await using site = await hostileSite();
  const { url } = site.target();
  const round = await currentRound(url);
  const [calm, troubled] = [await registerAgents(url, 1), await registerAgents(url, 2)];
  const phase = { url, round, phaseMs: PHASE_MS };
  const quiet = await measured(site.target(), () => honestPhase(phase, calm));
  await using attack = await beginAttack(site, 0, crowd);
  const attacked = await measured(site.target(), () => honestPhase(phase, troubled));
  site.target();
  return resultOf({ quiet, attacked }, await attack.loots());
}

export type HostileSite = Awaited<ReturnType<typeof hostileSite>>;

/** The attacked service, in its own process with history. */
export async function hostileSite() {
  const site = await deployment({ RATE_LIMITS: 'on' });
  await site.start();
  const connection = await site.connection();
  if (connection === null) throw new Error('The service has no database');
  return {
    history: await fillHistory(connection),
    start: () => site.start(),
    stop: () => site.first.end('SIGTERM'),
    /** Throws with the process's output if it has ended. */
    target: () => {
      const { url, pid } = site.first;
      if (pid === null) throw new Error(`The service has ended: ${site.first.output()}`);
      return { url, pid };
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** Starts the clients from new addresses and lets them warm up. */
export async function beginAttack({ history, target }: HostileSite, time: number, { count, only } = EVERYBODY) {
  const clients = Array.from({ length: count }, () => fork(new URL('hostile-clients.ts', import.meta.url)));
  const { url } = target();
  clients.forEach((client, n) =>
    client.send({ ...history, only, url, from: `127.66.${time}.${n + 1}` } satisfies Attack),
  );
  await delay(WARM_UP_MS);
  return {
    loots: () => Promise.all(clients.map(lootOf)),
    [Symbol.asyncDispose]: async () => clients.forEach((client) => client.kill('SIGKILL')),
  };
}

/** A phase's results, with the service's resource usage. */
export async function measured(
  { pid, url }: { readonly pid: number; readonly url: string },
  phase: () => Promise<Honest>,
): Promise<Found> {
  const usage = watchUsage(pid, Number(new URL(url).port));
  const honest = await phase();
  return { ...honest, ...usage.stop(), load: loadavg()[0] ?? Number.NaN };
}

async function lootOf(client: ChildProcess): Promise<readonly Loot[]> {
  const message = once(client, 'message');
  client.send('tell');
  const [loots]: (readonly Loot[])[] = await message;
  if (loots === undefined) throw new Error('A hostile client must report what it got (got no message).');
  return loots;
}

function resultOf(
  { quiet, attacked }: { readonly quiet: Found; readonly attacked: Found },
  loots: readonly (readonly Loot[])[],
): string {
  const row = (name: string, figure: (found: Found) => string): string[] => [name, figure(quiet), figure(attacked)];
  const times = (name: string, of: (found: Found) => readonly Answered[]): string[][] =>
    SHARES.map(({ title, share }) =>
      row(`${name}, ${title} ms`, (found) => {
        const all = of(found).map(({ ms }) => ms);
        return percentile(all, share).toFixed(1);
      }),
    );
  const rows = [
    ['', 'quiet', 'attacked'],
    row('submissions', ({ submissions }) => countsOf(submissions.map(statusOf))),
    ...times('submission', ({ submissions }) => submissions),
    row('/livez', ({ lookups }) => countsOf(lookups.map(statusOf))),
    ...times('/livez', ({ lookups }) => lookups),
    row('service, resident MB at most', ({ rss }) => (rss / MEGABYTE).toFixed(0)),
    row('unread in the kernel, MB at most', ({ unread }) => (unread / MEGABYTE).toFixed(0)),
    row('connections that hold unsent bytes, at the end', ({ stuck }) => String(stuck)),
    row('connections not taken yet, at most', ({ waiting }) => String(waiting)),
    row('load average', ({ load }) => load.toFixed(1)),
  ];
  const title = `${quiet.submissions.length} honest agents in ${PHASE_MS / 1_000} s, and hostile clients: ${loots.length}`;
  return `${title}\n${table(rows)}\n\n${table([['hostile clients', 'at once', 'got'], ...lootRows(loots.flat())])}`;
}

function lootRows(loots: readonly Loot[]): string[][] {
  return [...Map.groupBy(loots, ({ name }) => name)].map(([name, alike]) => {
    const got = alike.flatMap((loot) => Object.entries(loot.got));
    return [name, String(alike.reduce((sum, { size }) => sum + size, 0)), countsOf(got)];
  });
}

/** For `countsOf`. */
export function statusOf({ status }: Answered): readonly [string, number] {
  return [String(status ?? 'none'), 1];
}

/** `200: 3, 429: 1` */
export function countsOf(counts: readonly (readonly [string, number])[]): string {
  const byName = [...Map.groupBy(counts, ([what]) => what)].toSorted(([one], [other]) => one.localeCompare(other));
  return byName.map(([what, some]) => `${what}: ${some.reduce((sum, [, count]) => sum + count, 0)}`).join(', ');
}
