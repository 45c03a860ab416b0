import { type Message, MessageType, parseMessage } from 'graphql-ws';

import { checkDepth } from '../http/sent-text.ts';
import type { Peer } from './socket.ts';

/** An id is kept several times for as long as its operation lives. */
const MOST_ID_CHARACTERS = 512;

/**
 * Gives a client's message to graphql-ws without its payload, which stands beside it in `peer.arriving` until graphql-ws
 * has handed it on. graphql-ws keeps a message as long as the socket or the operation that it began lives, though nothing
 * reads it again: 64 KB of JSON take 1.3 MB of heap. Throws where the message is none of the protocol, or nested too deeply.
 */
export async function giveMessage(peer: Peer, text: string, take: (text: string) => Promise<void>): Promise<void> {
  checkDepth(text);
  const message = parseMessage(text);
  if ('id' in message && message.id.length > MOST_ID_CHARACTERS) {
    peer.close({ code: 4400, reason: `An id must have at most ${MOST_ID_CHARACTERS} characters` });
    return;
  }
  peer.arriving = message;
  const taken = take(withoutPayload(message) ?? text);
  peer.arriving = null;
  // Not awaited: a function that waits keeps all that it has read.
  return taken;
}

function withoutPayload(message: Message): string | null {
  if (message.type === MessageType.ConnectionInit) return JSON.stringify({ type: message.type });
  if (message.type !== MessageType.Subscribe) return null;
  return JSON.stringify({ id: message.id, type: message.type, payload: { query: '' } });
}

/**
 * The key in `connection_init`, wherever the usual clients put it; undefined where there is none. As it came: one that is
 * no text does not hold.
 */
export function keyIn(message: Message | null): unknown {
  if (message?.type !== MessageType.ConnectionInit) return undefined;
  return keyOf(message.payload) ?? keyOf(valueOf(message.payload, 'headers')) ?? undefined;
}

function keyOf(carrier: unknown): unknown {
  return valueOf(carrier, 'authorization');
}

/** The value of the property of that name, in letters of either case. */
function valueOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}
