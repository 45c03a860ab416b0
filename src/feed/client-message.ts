import { type Message, MessageType, parseMessage } from 'graphql-ws';

import { checkDepth } from '../http/received-text.ts';
import type { Peer } from './peer.ts';

/** An id is stored several times while its operation lives. */
const MAX_ID_CHARACTERS = 512;

/**
 * Throws if the text is no message. `peer.arriving` holds the payload during the call. graphql-ws gets none, since it keeps
 * messages while an operation lives.
 */
export function giveMessage(peer: Peer, text: string, take: (text: string) => Promise<void>): Promise<void> | null {
  checkDepth(text);
  const message = parseMessage(text);
  if ('id' in message && message.id.length > MAX_ID_CHARACTERS) {
    peer.close({ code: 4400, reason: `An id must have at most ${MAX_ID_CHARACTERS} characters` });
    return null;
  }
  peer.arriving = message;
  const taken = take(withoutPayload(message) ?? text);
  peer.arriving = null;
  return taken;
}

function withoutPayload(message: Message): string | null {
  if (message.type === MessageType.ConnectionInit) return JSON.stringify({ type: message.type });
  if (message.type !== MessageType.Subscribe) return null;
  return JSON.stringify({ id: message.id, type: message.type, payload: { query: '' } });
}

/** The key in `connection_init`, in the places that common clients use; undefined if absent. It may be no string. */
export function keyIn(message: Message | null): unknown {
  if (message?.type !== MessageType.ConnectionInit) return undefined;
  return keyOf(message.payload) ?? keyOf(valueOf(message.payload, 'headers')) ?? undefined;
}

function keyOf(carrier: unknown): unknown {
  return valueOf(carrier, 'authorization');
}

function valueOf(object: unknown, name: string): unknown {
  if (typeof object !== 'object' || object === null) return undefined;
  return Object.entries(object).find(([key]) => key.toLowerCase() === name)?.[1];
}
