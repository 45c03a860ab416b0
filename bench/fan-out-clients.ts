import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * The subscribers of one side, in their own process, to spare the server's event loop. They speak graphql-transport-ws over bare
 * sockets and only count frames: clients' work is not measured.
 */
export interface Connect {
  readonly url: string;
  readonly count: number;
  readonly query: string;
}

export type ClientMessage =
  | { readonly kind: 'connected' }
  /** Instants of `process.hrtime`, which all processes of a machine share. */
  | { readonly kind: 'received'; readonly p50: number; readonly p99: number; readonly last: number };

/** Concurrent connection attempts. */
const AT_ONCE = 100;
/** The service bounds the connections of an address, so there are several. */
const ADDRESSES = 20;
/** Acknowledgements, heartbeats and pings are smaller; broadcasts are larger. */
const BROADCAST_BYTES = 1_000;

const TEXT = 0x81;
const PING = 0x89;
const MASKED = 0x80;
const END_OF_HEAD = '\r\n\r\n';
const PONG = Buffer.from([0x8a, MASKED, 0, 0, 0, 0]);
/** Larger frames have a head of 4 bytes; none here has 64 KiB. */
const SHORT_BYTES = 125;

process.on('message', (message: Connect) => {
  connectAll(message).catch(fail);
});

/** The bench would wait for missing subscribers forever. */
function fail(error: unknown): never {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}

async function connectAll({ url, count, query }: Connect): Promise<void> {
  const receipts = receiptsOf(count);
  for (let made = 0; made < count; made += AT_ONCE) {
    const some = Math.min(AT_ONCE, count - made);
    const places = Array.from({ length: some }, (_, place) => made + place);
    await Promise.all(places.map((place) => subscriber({ url, query, place }, receipts)));
  }
  tell({ kind: 'connected' });
}

/** Resolves when the subscriber receives broadcasts. */
async function subscriber(
  { url, query, place }: Pick<Connect, 'url' | 'query'> & { readonly place: number },
  onBroadcast: () => void,
): Promise<void> {
  const { hostname, port, pathname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress: `127.0.0.${2 + (place % ADDRESSES)}` });
  socket
    .setNoDelay(true)
    .write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n' +
        'Sec-WebSocket-Protocol: graphql-transport-ws\r\n\r\n',
    );
  const [head]: Buffer[] = await once(socket, 'data');
  if (!head?.toString('latin1').startsWith('HTTP/1.1 101')) throw new Error(`No WebSocket: ${String(head)}`);
  socket.once('close', () => fail(new Error(`The subscriber ${place} was disconnected`)));
  let arrived = Promise.withResolvers<void>();
  const count = frameCounter({ onBroadcast, onSmall: () => arrived.resolve(), onPing: () => void socket.write(PONG) });
  count(head.subarray(head.indexOf(END_OF_HEAD) + END_OF_HEAD.length));
  socket.on('data', count);
  send(socket, { type: 'connection_init' });
  await arrived.promise;
  arrived = Promise.withResolvers<void>();
  send(socket, { id: randomUUID(), type: 'subscribe', payload: { query } });
  // Each server sends something small at the beginning of a subscription.
  await arrived.promise;
}

function send(socket: Socket, message: object): void {
  const text = Buffer.from(JSON.stringify(message));
  const head =
    text.length <= SHORT_BYTES
      ? [TEXT, MASKED | text.length]
      : [TEXT, MASKED | 126, text.length >> 8, text.length & 0xff];
  // A mask of zeros changes nothing.
  socket.write(Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), text]));
}

/** Calls back at the end of each frame with text, and for pings. */
function frameCounter(on: Record<'onBroadcast' | 'onSmall' | 'onPing', () => void>): (bytes: Buffer) => void {
  let start: Buffer = Buffer.alloc(0);
  let left = 0;
  let onEnd = on.onSmall;
  return (received) => {
    let bytes = start.length === 0 ? received : Buffer.concat([start, received]);
    start = Buffer.alloc(0);
    while (bytes.length > 0) {
      if (left === 0) {
        const length = (bytes[1] ?? 0) & 0x7f;
        const opcode = bytes[0];
        const headBytes = length <= SHORT_BYTES ? 2 : 4;
        if (bytes.length < headBytes) {
          start = bytes;
          return;
        }
        left = length <= SHORT_BYTES ? length : bytes.readUInt16BE(2);
        onEnd = opcode === PING ? on.onPing : left >= BROADCAST_BYTES ? on.onBroadcast : on.onSmall;
        bytes = bytes.subarray(headBytes);
      }
      const taken = Math.min(left, bytes.length);
      left -= taken;
      bytes = bytes.subarray(taken);
      if (left === 0) onEnd();
    }
  };
}

/** Records each subscriber's receipt, and sends a message when all have the broadcast. */
function receiptsOf(count: number): () => void {
  const instants = new Float64Array(count);
  let received = 0;
  return () => {
    instants[received] = Number(process.hrtime.bigint());
    received += 1;
    if (received < count) return;
    received = 0;
    const at = (share: number): number => instants[Math.ceil(count * share) - 1] ?? 0;
    tell({ kind: 'received', p50: at(0.5), p99: at(0.99), last: at(1) });
  };
}

function tell(message: ClientMessage): void {
  process.send?.(message);
}
