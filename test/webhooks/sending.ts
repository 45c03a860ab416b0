import { randomBytes } from 'node:crypto';

import { expect } from '@jest/globals';

import { localBus } from '../../src/backplane/local.ts';
import { type DeliveringDeps, startDelivering } from '../../src/webhooks/delivering.ts';
import { register } from '../support/agents.ts';
import { pointerTo, reference } from '../support/reference.ts';
import { type ServiceSettings, startService, type TestService } from '../support/service.ts';
import { shared } from '../support/shared.ts';
import { openReceiver } from './receiver.ts';

/** Where the reference says what is sent. */
const MESSAGE = pointerTo('webhooks', 'message', 'post', 'requestBody', 'content', 'application/json', 'schema');

/** A service that calls any address, a receiver beside it, and a worker that is started and stopped by the test. */
export async function openSending(settings: ServiceSettings = {}) {
  const stack = new AsyncDisposableStack();
  const bus = localBus();
  const service = await startService({ webhooks: 'any', bus, ...settings });
  stack.defer(() => service.stop());
  const receiver = await openReceiver();
  stack.defer(() => receiver.close());
  // What webhooks are sent is what the reference says.
  stack.defer(() => {
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies.filter((body) => reference().faults(MESSAGE, body).length > 0)).toEqual([]);
  });
  const start = async (changes: Partial<DeliveringDeps> = {}) => {
    const { newEm, clock, reported } = service;
    const { lockMs = 0, keyPepper } = settings;
    const report = (error: unknown): void => void reported.push(error);
    const onEvents = (listener: (events: []) => void) => bus.onNudge(() => listener([]));
    return startDelivering({
      reach: 'any',
      lockMs,
      keyPepper,
      randomBytes,
      newEm,
      clock,
      bus,
      onEvents,
      report,
      ...changes,
    });
  };
  return { service, receiver, bus, start, stop: () => stack.disposeAsync() };
}

/** What a suite shares: sending with workers that run all the time, and no fault at the end. */
export function sharedSending(settings: ServiceSettings = {}, workers = 1) {
  return shared(async (closing) => {
    const opened = await openSending(settings);
    closing.defer(() => expect(opened.service.reported).toEqual([]));
    closing.defer(() => opened.stop());
    for (let started = 0; started < workers; started += 1) {
      const delivering = await opened.start();
      closing.defer(() => delivering.stop());
    }
    return opened;
  });
}

/** An agent with a webhook at a path of the receiver. */
export async function hooked(
  { service, url }: { readonly service: TestService; readonly url: string },
  { name, kinds }: { readonly name: string; readonly kinds: readonly string[] },
) {
  const player = await register(service, name);
  const ask = (method: string, path = '', body?: object) =>
    service.request(method, `/api/me/webhooks${path}`, { key: player.key, body });
  const { webhook } = (await ask('POST', '', { url: `${url}/${name}`, kinds })).body;
  return {
    agentId: player.id,
    key: player.key,
    ask,
    id: webhook.id,
    path: `/${name}`,
    /** As it is now. */
    now: async () => (await ask('GET')).body.webhooks[0],
    tries: async () => (await ask('GET', `/${webhook.id}/deliveries`)).body.deliveries,
  };
}
