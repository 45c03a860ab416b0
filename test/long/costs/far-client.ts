import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

import { WebSocket } from 'ws';

/** What an answer was, as its asker saw it. */
export interface FarAnswer {
  readonly status: number;
  readonly bytes: number;
  readonly error: string | null;
}

/** Asks from a thread of its own, so that reading answers takes nothing of the service's thread. */
export interface FarClient extends AsyncDisposable {
  /** `Query` documents go over HTTP; of a subscription so many messages are awaited. */
  readonly ask: (query: string, messages?: number) => Promise<FarAnswer>;
}

interface RepeatedQuery {
  readonly query: string;
  readonly messages: number;
}

export function farClient(url: string): FarClient {
  const worker = new Worker(new URL(import.meta.url), { workerData: url });
  // One at a time: an answer belongs to what was asked last.
  const ask = async (request: RepeatedQuery) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    worker.postMessage(request);
    const [answer] = await once(worker, 'message');
    return answer;
  };
  return {
    ask: (query, messages = 0) => ask({ query, messages }),
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  };
}

async function overHttp(url: string, query: string): Promise<FarAnswer> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  const text = await response.text();
  return {
    status: response.status,
    bytes: text.length,
    error: /"errors":\[\{"message":"([^"]*)/.exec(text.slice(0, 400))?.[1] ?? null,
  };
}

async function overSocket(url: string, query: string, messages: number): Promise<FarAnswer> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  await once(socket, 'open');
  const done = Promise.withResolvers<FarAnswer>();
  let [count, bytes] = [0, 0];
  socket.on('message', (data: Buffer) => {
    const text = data.toString();
    bytes += text.length;
    if (text.includes('"connection_ack"'))
      socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    if (text.includes('"type":"error"')) done.resolve({ status: 400, bytes, error: text });
    if (text.includes('"type":"next"') && (count += 1) === messages) done.resolve({ status: 200, bytes, error: null });
  });
  socket.on('close', (code) => done.resolve({ status: code, bytes, error: 'closed' }));
  socket.send(JSON.stringify({ type: 'connection_init' }));
  const answer = await Promise.race([done.promise, delay(60_000, { status: 0, bytes, error: 'nothing for a minute' })]);
  socket.close();
  return answer;
}

function failed(error: unknown): FarAnswer {
  return { status: 0, bytes: 0, error: String(error) };
}

if (!isMainThread && parentPort !== null) {
  const port = parentPort;
  port.on('message', ({ query, messages }: RepeatedQuery) => {
    const measured = messages === 0 ? overHttp(workerData, query) : overSocket(workerData, query, messages);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    void measured.catch(failed).then((answer) => port.postMessage(answer));
  });
}
