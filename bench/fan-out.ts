import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { WebSocketServer } from 'ws';

import { EVENTS, madeUpEvents, write } from '../test/support/written-events.ts';
import { startTestCluster } from '../test/support/cluster.ts';
import { TEMPLATE_VARIABLE } from '../test/support/database.ts';
import { socketUrl } from '../test/support/socket-client.ts';
import { startService } from '../test/support/service.ts';
import type { Connect, Told } from './fan-out-clients.ts';
import { median, table } from './table.ts';

const SUBSCRIBERS = 2000;
const ROUNDS = 8;
const EVENTS_A_ROUND = 15;
const NEVER_MS = 2 ** 31 - 1;

const ID_OF_ALL = '00000000-0000-4000-8000-000000000000';
const COLUMNS = ['p50', 'p99', 'last', 'cpu'] as const;

/** One way to bring an event to all. */
interface Side {
  readonly name: string;
  readonly connect: Omit<Connect, 'side' | 'count'>;
  /** Brings one event to all; returns when it began to, as `process.hrtime` has it. */
  readonly publish: () => Promise<number>;
}

/** Milliseconds of one event: until half, 99 of 100 and all of the clients had it, and the server's processor time. */
interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly last: number;
  readonly cpu: number;
}

/**
 * The service's feed against a plain broadcast of one prepared frame over `ws`: both in this process, to as many clients
 * in another one, in turns. The feed's time begins when the event is committed and the bus is nudged: it reads the log,
 * executes and serialises once, and sends to each its frame.
 */
export async function fanOut(): Promise<string> {
  await using stack = new AsyncDisposableStack();
  const cluster = await startTestCluster();
  stack.defer(() => cluster.dispose());
  process.env[TEMPLATE_VARIABLE] = JSON.stringify(cluster.template);
  const clients = fork(new URL('fan-out-clients.ts', import.meta.url));
  const sides = [rawSide(stack), await feedSide(stack, 'own'), await feedSide(stack, 'same')];
  stack.defer(() => void clients.kill());
  await connectAll(clients, sides);
  const found = new Map(sides.map((side) => [side, [] as Figures[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    // Each goes first, second and third as often as the others.
    for (let turn = 0; turn < sides.length; turn += 1) {
      const side = sides[(round + turn) % sides.length];
      if (side === undefined) continue;
      const figures = await publishSome(clients, side);
      // The first round warms up.
      if (round > 0) found.get(side)?.push(figures);
    }
  }
  return resultOf([...found].map(([{ name }, figures]) => ({ name, ...middle(figures) })));
}

/** The broadcast that a program does who knows nothing of GraphQL, subscriptions or slow readers. */
function rawSide(stack: AsyncDisposableStack): Side {
  const server = new WebSocketServer({ port: 0, perMessageDeflate: false });
  stack.defer(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  const events = {
    seq: 1000,
    kind: 'ROUND_STORED',
    at: '2026-01-01T12:10:00.000Z',
    roundId: null,
    payload: { number: 0 },
  };
  const frame = Buffer.from(JSON.stringify({ id: ID_OF_ALL, type: 'next', payload: { data: { events } } }));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The raw server listens on no port');
  return {
    name: 'raw ws, one prepared frame',
    connect: { url: `ws://127.0.0.1:${address.port}`, subscription: null },
    async publish() {
      const began = now();
      for (const socket of server.clients) socket.send(frame, { binary: false });
      return began;
    },
  };
}

async function feedSide(stack: AsyncDisposableStack, ids: 'own' | 'same'): Promise<Side> {
  const intervals = { heartbeatMs: NEVER_MS, marketMs: NEVER_MS, entriesMs: NEVER_MS };
  const service = await startService({ intervals });
  stack.defer(() => service.stop());
  const id = ids === 'same' ? ID_OF_ALL : null;
  return {
    name: id === null ? 'feed, each with an id of its own' : 'feed, all with the same id',
    connect: { url: socketUrl(service.url), subscription: { query: EVENTS, id } },
    async publish() {
      await write(service, madeUpEvents(1));
      const began = now();
      service.nudge();
      return began;
    },
  };
}

async function connectAll(clients: ChildProcess, sides: readonly Side[]): Promise<void> {
  for (const { name, connect } of sides) {
    const message: Connect = { ...connect, side: name, count: SUBSCRIBERS };
    clients.send(message);
    await told(clients, 'connected');
  }
}

async function publishSome(clients: ChildProcess, side: Side): Promise<Figures> {
  const latencies: Figures[] = [];
  const before = process.cpuUsage();
  for (let event = 0; event < EVENTS_A_ROUND; event += 1) {
    const arrived = told(clients, 'received');
    const began = await side.publish();
    const { p50, p99, last } = await arrived;
    latencies.push({ p50: (p50 - began) / 1e6, p99: (p99 - began) / 1e6, last: (last - began) / 1e6, cpu: 0 });
  }
  const { user, system } = process.cpuUsage(before);
  return { ...middle(latencies), cpu: (user + system) / 1e3 / EVENTS_A_ROUND };
}

/** The next message of that kind. */
async function told<Kind extends Told['kind']>(
  clients: ChildProcess,
  kind: Kind,
): Promise<Extract<Told, { kind: Kind }>> {
  const [message]: Extract<Told, { kind: Kind }>[] = await once(clients, 'message');
  if (message?.kind !== kind) throw new Error(`The clients tell something else than ${kind}`);
  return message;
}

function middle(all: readonly Figures[]): Figures {
  const of = (column: keyof Figures): number => median(all.map((figures) => figures[column]));
  return { p50: of('p50'), p99: of('p99'), last: of('last'), cpu: of('cpu') };
}

function resultOf(rows: readonly (Figures & { readonly name: string })[]): string {
  const [raw] = rows;
  if (raw === undefined) throw new Error('Nothing was measured');
  const cells = rows.map(({ name, ...figures }) => [
    name,
    ...COLUMNS.flatMap((column) => [figures[column].toFixed(1), `${(figures[column] / raw[column]).toFixed(2)} x`]),
  ]);
  const head = ['', ...['p50 ms', 'p99 ms', 'last ms', 'CPU ms'].flatMap((title) => [title, 'ratio'])];
  return `Fan-out of one event to ${SUBSCRIBERS} subscribers\n${table([head, ...cells])}`;
}

function now(): number {
  return Number(process.hrtime.bigint());
}
