import { expect, test } from '@jest/globals';
import { Client, type ClientConfig } from 'pg';

import { postmasterOf } from '../../faults/postgres-processes.ts';
import { started } from '../../support/deployment.ts';
import { send } from '../../support/http.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { sharedDisposable } from '../../support/shared.ts';

/*
 * In real time, so that nothing but the submission is committed in the moment of the kill: no other commit makes durable what
 * its answer has not waited for.
 */

const KILLS = 5;

const service = sharedDisposable(() => started({}));

async function database(): Promise<ClientConfig> {
  const connection = await service.connection();
  if (connection === null) throw new Error('PostgreSQL has no socket');
  return connection;
}

/** The stored predictions with this id, once a server answers that is not `before`. */
async function storedAfter(before: number, id: number): Promise<readonly unknown[]> {
  return untilDespiteFaults('another server answers', async () => {
    const connection = await database();
    if ((await postmasterOf(connection)) === before) return null;
    const client = new Client(connection);
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query('select agent_id, confidence from predictions where id = $1', [id])).rows;
    } finally {
      await client.end();
    }
  });
}

test('a prediction survives a kill of PostgreSQL at the moment of its acceptance', async () => {
  const { url } = service.first;
  const registered = await Promise.all(
    Array.from({ length: KILLS }, (_, n) =>
      send(url, { method: 'POST', path: '/api/agents/register', body: { name: `surviving-${n}` } }),
    ),
  );
  for (const [n, { body }] of registered.entries()) {
    const { round } = (await send(url, { method: 'GET', path: '/api/rounds/current' })).body;
    const server = await postmasterOf(await database());
    const prediction = { round_id: round.id, prediction: round.choices[0], confidence: n };
    const answered = await untilDespiteFaults('it is accepted', async () => {
      const reply = await send(url, { method: 'POST', path: '/api/predictions', key: body.api_key, body: prediction });
      if (reply.status !== 201) return null;
      process.kill(server, 'SIGKILL');
      return reply.body.prediction;
    });
    expect(await storedAfter(server, answered.id)).toEqual([{ agent_id: body.agent.id, confidence: n }]);
  }
});
