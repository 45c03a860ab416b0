import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { deployment } from '../test/support/deployment.ts';
import { currentRound, type Honest, honestPhase, PHASE_MS, registerAgents } from './honest-clients.ts';
import { RECORDS } from './hostile-attacks.ts';
import type { Attack, Loot } from './hostile-clients.ts';
import { fillHistory } from './hostile-history.ts';
import { type Usage, watchUsage } from './service-usage.ts';
import { percentile, table } from './table.ts';
import type { Answered } from './timed-request.ts';

const HOSTILE_CLIENTS = 4;
/** How long the attacks run before it is measured what they do. */
const WARM_UP_MS = 10_000;
const MEGABYTE = 1024 * 1024;
const SHARES = [
  { title: 'p50', share: 0.5 },
  { title: 'p99', share: 0.99 },
  { title: 'longest', share: 1 },
] as const;

/** What was found in a phase. */
interface Found extends Honest, Usage {
  /** Processes that wanted to run in the last minute: on two processors figures above 2 are waits. */
  readonly load: number;
}

/**
 * 200 agents submit over a minute, each once, while somebody asks ten times a second whether the process lives: first
 * alone, then while four hostile clients replay the log, ask for the schema, hold exports, read nothing of what they
 * asked for and filter for what does not exist, all at once. The service is a process of its own with 300,000
 * predictions and limits on; each client has a loopback address of its own, which Linux alone lets it choose.
 */
export async function hostile(): Promise<string> {
  return underAttack(HOSTILE_CLIENTS, null);
}

/** The same beside one address that asks for agents' records, a year of each, four at a time as long as it may. */
export async function records(): Promise<string> {
  return underAttack(1, { name: RECORDS, clients: HOSTILE_CLIENTS });
}

async function underAttack(count: number, only: Attack['only']): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const site = stack.use(await deployment({ RATE_LIMITS: 'on' }));
  await site.start();
  const connection = await site.connection();
  if (connection === null) throw new Error('The service has no database');
  const history = await fillHistory(connection);
  const { url, pid } = site.first;
  if (pid === null) throw new Error('The service has ended');
  const round = await currentRound(url);
  const [calm, troubled] = [await registerAgents(url, 1), await registerAgents(url, 2)];
  const quiet = await measured({ pid, url }, () => honestPhase(url, round, calm));
  const clients = Array.from({ length: count }, () => fork(new URL('hostile-clients.ts', import.meta.url)));
  stack.defer(() => clients.forEach((client) => client.kill('SIGKILL')));
  clients.forEach((client, n) => client.send({ ...history, only, url, from: `127.66.0.${n + 1}` } satisfies Attack));
  await delay(WARM_UP_MS);
  const attacked = await measured({ pid, url }, () => honestPhase(url, round, troubled));
  if (site.first.pid === null) throw new Error(`The service ended under attack: ${site.first.output()}`);
  return resultOf({ quiet, attacked }, await Promise.all(clients.map(lootOf)));
}

async function measured(
  { pid, url }: { readonly pid: number; readonly url: string },
  phase: () => Promise<Honest>,
): Promise<Found> {
  const usage = watchUsage(pid, Number(new URL(url).port));
  const honest = await phase();
  return { ...honest, ...usage.stop(), load: loadavg()[0] ?? Number.NaN };
}

async function lootOf(client: ChildProcess): Promise<readonly Loot[]> {
  const told = once(client, 'message');
  client.send('tell');
  const [loots]: (readonly Loot[])[] = await told;
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

function statusOf({ status }: Answered): readonly [string, number] {
  return [String(status ?? 'none'), 1];
}

/** `200: 3, 429: 1` */
function countsOf(counts: readonly (readonly [string, number])[]): string {
  const byName = [...Map.groupBy(counts, ([what]) => what)].toSorted(([one], [other]) => one.localeCompare(other));
  return byName.map(([what, some]) => `${what}: ${some.reduce((sum, [, count]) => sum + count, 0)}`).join(', ');
}
