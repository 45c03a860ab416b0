import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { startTestCluster } from '../test/support/cluster.ts';
import type { Connect, ClientMessage } from './fan-out-clients.ts';
import type { Answered, Command } from './fan-out-server.ts';
import { median, percentile, table } from './table.ts';

interface FanOutSettings {
  readonly subscribers: number;
  /** Alternating repetitions, beside one that warms up. */
  readonly rounds: number;
  readonly eventsPerRound: number;
}

const SIDES = ['raw ws', 'feed', 'graphql-ws'] as const;

const FAN_OUT: FanOutSettings = { subscribers: 10_000, rounds: 8, eventsPerRound: 15 };
const FAN_OUT_IF_QUICK: FanOutSettings = { subscribers: 2_000, rounds: 3, eventsPerRound: 10 };

interface FanOutFigures {
  readonly side: (typeof SIDES)[number];
  /** Milliseconds from publication until the last subscriber had the event. */
  readonly last: number[];
  /** The same for half of the subscribers. */
  readonly half: number[];
  /** The server's milliseconds of processor time for an event, by round. */
  readonly cpu: number[];
  /** Resident bytes of the server before subscribers, with them, and after the events. */
  readonly rss: { readonly empty: number; readonly connected: number; after: number };
}

const CLIENTS = new URL('fan-out-clients.ts', import.meta.url);
export const SERVER = new URL('fan-out-server.ts', import.meta.url);

interface Running {
  readonly server: ChildProcess;
  readonly clients: ChildProcess;
  readonly figures: FanOutFigures;
}

/**
 * An event of 2.2 KB to all subscribers: the feed, a broadcast of one prepared buffer over `ws`, and graphql-ws by default. Sides
 * publish in turns. The feed's time begins when the event is committed and the bus is nudged.
 */
async function measureFanOut(settings: FanOutSettings): Promise<readonly FanOutFigures[]> {
  await using stack = new AsyncDisposableStack();
  stack.use(await startTestCluster());
  const running: Running[] = [];
  for (const side of SIDES) running.push(await open(stack, side, settings.subscribers));
  for (let round = 0; round <= settings.rounds; round += 1) {
    // Each side is first, second and third equally often.
    for (let turn = 0; turn < running.length; turn += 1) {
      const one = running[(round + turn) % running.length];
      if (one !== undefined) await publishSome(one, { events: settings.eventsPerRound, counts: round > 0 });
    }
  }
  for (const { server, figures } of running) figures.rss.after = (await ask(server, 'usage', 'usage')).rss;
  return running.map(({ figures }) => figures);
}

/** With ratios to the first side. */
export async function fanOut({ isQuick }: { readonly isQuick: boolean }): Promise<string> {
  const settings = isQuick ? FAN_OUT_IF_QUICK : FAN_OUT;
  return fanOutTable(await measureFanOut(settings), settings);
}

async function open(stack: AsyncDisposableStack, side: FanOutFigures['side'], subscribers: number): Promise<Running> {
  const server = child(stack, SERVER, [side]);
  const { url, query } = await messageOf(server, 'listening');
  const empty = (await ask(server, 'usage', 'usage')).rss;
  const clients = await subscribe(stack, { url, query, count: subscribers });
  const connected = (await ask(server, 'usage', 'usage')).rss;
  return {
    server,
    clients,
    figures: { side, last: [], half: [], cpu: [], rss: { empty, connected, after: connected } },
  };
}

/** The process of the subscribers, once all are connected. */
export async function subscribe(stack: AsyncDisposableStack, connect: Connect): Promise<ChildProcess> {
  const clients = child(stack, CLIENTS, []);
  clients.send(connect);
  await messageOf(clients, 'connected');
  return clients;
}

export function child(stack: AsyncDisposableStack, module: URL, args: readonly string[]): ChildProcess {
  const forked = fork(module, args);
  stack.defer(async () => {
    const gone = once(forked, 'exit');
    if (forked.kill('SIGKILL')) await gone;
  });
  return forked;
}

async function publishSome(
  { server, clients, figures }: Running,
  { events, counts }: { readonly events: number; readonly counts: boolean },
): Promise<void> {
  const before = await ask(server, 'usage', 'usage');
  for (let event = 0; event < events; event += 1) {
    const arrived = messageOf(clients, 'received');
    const { began } = await ask(server, 'publish', 'published');
    const { p50, last } = await arrived;
    if (!counts) continue;
    figures.half.push((p50 - began) / 1e6);
    figures.last.push((last - began) / 1e6);
  }
  const after = await ask(server, 'usage', 'usage');
  if (counts) figures.cpu.push((after.cpu - before.cpu) / 1e3 / events);
}

type Message = Answered | ClientMessage;

export async function ask<Kind extends Answered['kind']>(server: ChildProcess, command: Command, kind: Kind) {
  const answered = messageOf(server, kind);
  server.send(command);
  return answered;
}

/** Throws for a message of another kind. */
export async function messageOf<Kind extends Message['kind']>(
  from: ChildProcess,
  kind: Kind,
): Promise<Extract<Message, { kind: Kind }>> {
  const gone = new AbortController();
  const onExit = (): void => gone.abort(new Error(`${from.spawnargs.join(' ')} has ended`));
  from.once('exit', onExit);
  const [message]: Extract<Message, { kind: Kind }>[] = await once(from, 'message', { signal: gone.signal });
  from.off('exit', onExit);
  if (message?.kind !== kind) throw new Error(`${from.spawnfile} must report ${kind} (got ${String(message?.kind)}).`);
  return message;
}

function fanOutTable(all: readonly FanOutFigures[], { subscribers }: FanOutSettings): string {
  const rows = all.map(({ side, last, half, cpu, rss }) => ({
    side,
    cells: [
      percentile(last, 0.5),
      percentile(last, 0.99),
      median(half),
      median(cpu),
      mostOf(rss) / 1e6,
      (mostOf(rss) - rss.empty) / subscribers / 1e3,
    ],
  }));
  const cells = rows.map(({ side, cells: own }) => [
    side,
    ...own.flatMap((cell, place) => [cell.toFixed(1), `${(cell / (rows[0]?.cells[place] ?? cell)).toFixed(2)} x`]),
  ]);
  const titles = ['last p50 ms', 'last p99 ms', 'half ms', 'CPU ms', 'most RSS MB', 'KB each'];
  return `An event of 2.2 KB to ${subscribers} subscribers\n${table([['', ...titles.flatMap((title) => [title, 'ratio'])], ...cells])}`;
}

/** Node returns some memory of the connection phase later. */
function mostOf({ connected, after }: FanOutFigures['rss']): number {
  return Math.max(connected, after);
}
