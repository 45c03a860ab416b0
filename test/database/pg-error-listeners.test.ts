import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { Client } from 'pg';

import { patchClients } from '../../src/database/primary.ts';

/** A message of PostgreSQL's protocol. */
function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5, kind);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const WELCOME = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
const GOODBYE = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection\0\0'));

test('a connection that PostgreSQL opens and closes at once does not end the process', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([...WELCOME, GOODBYE])));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  patchClients();
  patchClients();
  const client = new Client({ host: '127.0.0.1', port: typeof address === 'object' ? address?.port : 0 });
  const ended = new Promise<void>((resolve) => client.once('end', resolve));
  await client.connect();
  await ended;
  await expect(client.query('select 1')).rejects.toThrow('not queryable');
  server.close();
});
