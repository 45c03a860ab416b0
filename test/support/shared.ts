import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';

import { addAgents, type Arena, openArena } from './arena.ts';
import { type ServiceSettings, startService, type TestService } from './service.ts';

/**
 * What the tests of a suite share: `open` makes it before the first of them, and what it leaves to `closing` is closed
 * behind the last, also where opening the rest has failed. It has its members once the suite's tests and hooks run.
 */
export function shared<T extends object>(open: (closing: AsyncDisposableStack) => Promise<T>): T {
  const closing = new AsyncDisposableStack();
  let opened: T | undefined;
  const present = (): T => {
    if (opened === undefined) throw new Error('What a suite shares is opened before its first test');
    return opened;
  };
  beforeAll(async () => {
    opened = await open(closing);
  });
  afterAll(() => closing.disposeAsync());
  return new Proxy<T>(Object.create(null), {
    get: (_, name) => Reflect.get(present(), name),
    has: (_, name) => Reflect.has(present(), name),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(present(), name),
  });
}

/** An arena with so many agents, which each test finds empty. */
export function sharedArena(agents = 0): Arena {
  const arena = shared(async (closing) => {
    const opened = await openArena();
    closing.defer(() => opened.close());
    await addAgents(opened, agents);
    return opened;
  });
  beforeEach(() => arena.reset());
  return arena;
}

/** A service, in which nothing that the tests do may be an internal error. */
export function sharedService(settings?: ServiceSettings): TestService {
  return shared(async (closing) => {
    const service = await startService(settings);
    closing.defer(() => expect(service.reported).toEqual([]));
    closing.defer(() => service.stop());
    return service;
  });
}
