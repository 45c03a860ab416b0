import { WebSocket } from 'ws';

import { AGAIN_MS, type Target } from './hostile-attacks.ts';

const NEW_TRY = 5 * AGAIN_MS;

/**
 * Subscribes to the whole log `count` times with different documents, so that nothing is shared; each event selects 100
 * predictions with agents and their last answers. Finished, refused and cut readers begin again.
 */
export function replay(target: Target, count: number): void {
  const socket = new WebSocket(`${target.url.replace('http', 'ws')}/graphql`, ['graphql-transport-ws'], {
    localAddress: target.from,
    perMessageDeflate: false,
  });
  const received = new Map<string, number>();
  const subscribe = (id: string): void => {
    if (socket.readyState !== WebSocket.OPEN) return;
    received.set(id, 0);
    socket.send(JSON.stringify({ id, type: 'subscribe', payload: { query: documentOf(id) } }));
    target.got('asked');
  };
  const againSoon = (id: string): void => void setTimeout(subscribe, NEW_TRY, id);
  socket.on('open', () => socket.send('{"type":"connection_init"}'));
  socket.on('message', (data: Buffer) => {
    const { type, id } = headOf(data);
    if (type === 'ping') socket.send('{"type":"pong"}');
    if (type === 'connection_ack') for (let n = 0; n < count; n += 1) subscribe(`a${n}`);
    if (type === 'next') {
      target.got('events');
      const events = (received.get(id) ?? 0) + 1;
      received.set(id, events);
      if (events !== target.events) return;
      socket.send(JSON.stringify({ id, type: 'complete' }));
      againSoon(id);
    }
    if (type === 'error' || type === 'complete') {
      target.got(type === 'error' ? 'refused' : 'ended');
      againSoon(id);
    }
  });
  socket.on('error', () => {});
  socket.once('close', (code) => {
    target.got(`closed ${code}`);
    setTimeout(replay, NEW_TRY, target, count);
  });
}

function documentOf(alias: string): string {
  return `subscription { events(after: 0) { seq round { ${alias}: id predictions(first: 100) { nodes {
    agent { id recentPredictions { id } } } } } } }`;
}

/** Parsing an answer would cost more than making it. */
function headOf(message: Buffer): { readonly type: string; readonly id: string } {
  const head = message.subarray(0, 100).toString();
  return { type: /"type":"(\w+)"/.exec(head)?.[1] ?? '', id: /"id":"(\w+)"/.exec(head)?.[1] ?? '' };
}
