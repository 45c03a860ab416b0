import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { expect } from '@jest/globals';

import { EVENT_KINDS } from '../../src/entities/event.ts';
import { appendEvents } from '../../src/feed/event-log.ts';
import { register } from '../support/agents.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/poll.ts';
import { startService } from '../support/service.ts';
import { seeded } from '../support/seeded.ts';
import { openReceiver, type Received } from './receiver.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const WEBHOOKS = 6;
/** Kinds that are sent whatever has become of their round. */
const SENT = EVENT_KINDS.filter((kind) => kind !== 'ROUND_OPENED' && kind !== 'ROUND_UNANSWERED');

/** What is worked out of all that a webhook was sent: an id counts once, when it first comes. */
function effectOf(received: readonly Received[]) {
  const first = new Map(received.toReversed().map((one) => [one.id, one] as const));
  const seqs = [...new Set(received.map(({ id }) => id))].map((id) => Number(first.get(id)?.data['seq']));
  const changed = received.filter(({ id, body }) => first.get(id)?.body !== body).length;
  return { seqs, changed, again: received.length - seqs.length };
}

/**
 * Kills the worker so many times at random moments of sending, while the log grows. Then nothing must be lost, out of order, or there
 * twice under different ids. Returns how much was sent, and how much of it again.
 */
export async function killWorkers(kills: number): Promise<{ readonly sent: number; readonly again: number }> {
  const stack = new AsyncDisposableStack();
  await using _closing = stack;
  const random = seeded(kills);
  const database = await createTestDatabase();
  stack.defer(() => database.drop());
  const service = await startService({ database, webhooks: 'any' });
  stack.defer(() => service.stop());
  const receiver = await openReceiver();
  stack.defer(() => receiver.close());
  for (let each = 0; each < WEBHOOKS / 3; each += 1) {
    const { key } = await register(service, `agent-${each}`);
    for (const place of [1, 2, 3]) {
      const body = {
        url: `${receiver.url}/${each}-${place}`,
        kinds: SENT.map((kind) => kind.toLowerCase().replaceAll('_', '.')),
      };
      await service.request('POST', '/api/me/webhooks', { key, body });
    }
  }
  const [[begin] = [0]] = await service.statements.rows<[number]>(
    { name: null, text: 'select last_seq from platform' },
    [],
  );
  let last = begin;
  const grow = async (): Promise<void> => {
    const events = Array.from({ length: 5 }, (_, at) => ({
      kind: SENT[(last + at) % SENT.length] ?? 'ROUND_VOID',
      roundId: null,
      payload: { nth: last + at },
    }));
    await service.newEm().transactional((transaction) => appendEvents(transaction, service.clock.now(), events));
    last += events.length;
  };
  let worker: ChildProcess | undefined;
  stack.defer(() => void worker?.kill('SIGKILL'));
  for (let killed = 0; killed <= kills; killed += 1) {
    worker = spawn(process.execPath, [WORKER, JSON.stringify(database.connection)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const before = receiver.received.length;
    await grow();
    if (killed === kills) break;
    const enough = before + 1 + random.between(0, 4 * WEBHOOKS);
    await until('messages', () => receiver.received.length >= enough);
    const ended = once(worker, 'exit');
    worker.kill('SIGKILL');
    await ended;
  }
  const wanted = Array.from({ length: last - begin }, (_, at) => begin + 1 + at);
  const paths = Array.from({ length: WEBHOOKS }, (_, at) => `/${Math.floor(at / 3)}-${(at % 3) + 1}`);
  const effects = () => paths.map((path) => effectOf(receiver.at(path)));
  await until('everything', () => effects().every(({ seqs }) => seqs.length >= wanted.length));
  for (const { seqs, changed } of effects()) expect({ seqs, changed }).toEqual({ seqs: wanted, changed: 0 });
  expect(service.reported).toEqual([]);
  return { sent: receiver.received.length, again: effects().reduce((sum, { again }) => sum + again, 0) };
}
