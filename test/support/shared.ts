import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';

import { addAgents, type Arena, openArena } from './arena.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { openField, type PlayedField } from './played-field.ts';
import { type ServiceSettings, startService, type TestService } from './service.ts';

/** Closes all shared parts of the suite being loaded, the last opened first. */
let closingOfFile: AsyncDisposableStack | undefined;

function closingOfSuite(): AsyncDisposableStack {
  const closing = new AsyncDisposableStack();
  // The file has been loaded by then.
  beforeAll(() => (closingOfFile = undefined));
  afterAll(() => closing.disposeAsync());
  return closing;
}

/**
 * A suite's shared part: `open` runs before its first test, after parts declared above; `closing` runs after the last test, also
 * if opening the rest has failed. Members exist once hooks and tests run.
 */
export function shared<T extends object>(open: (closing: AsyncDisposableStack) => Promise<T>): T {
  const closing = (closingOfFile ??= closingOfSuite());
  let opened: T | undefined;
  const present = (): T => {
    if (opened === undefined) throw new Error('What a suite shares is opened before its first test');
    return opened;
  };
  beforeAll(async () => {
    opened = await open(closing);
  });
  return new Proxy<T>(Object.create(null), {
    get: (_, name) => {
      const member: unknown = Reflect.get(present(), name);
      return typeof member === 'function' ? member.bind(present()) : member;
    },
    has: (_, name) => Reflect.has(present(), name),
    ownKeys: () => Reflect.ownKeys(present()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(present(), name),
  });
}

/** For parts that close themselves. */
export function sharedDisposable<T extends AsyncDisposable>(open: () => Promise<T>): T {
  return shared(async (closing) => closing.use(await open()));
}

/** A suite's own database. */
export function sharedDatabase(): TestDatabase {
  return shared(async (closing) => {
    const database = await createTestDatabase();
    closing.defer(database.drop);
    return database;
  });
}

/** An arena with agents, emptied before each test. */
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

/** A service; internal errors fail the suite. */
export function sharedService(settings?: () => ServiceSettings): TestService {
  return shared(async (closing) => stoppedQuietly(await startService(settings?.()), closing));
}

/** A field of agents, prepared by `play`. */
export function sharedField(
  settings: Parameters<typeof openField>[0],
  play: (field: PlayedField) => Promise<void>,
): PlayedField {
  return shared(async (closing) => {
    const field = await openField(settings);
    stoppedQuietly(field.service, closing);
    await play(field);
    return field;
  });
}

function stoppedQuietly(service: TestService, closing: AsyncDisposableStack): TestService {
  closing.defer(() => expect(service.reported).toEqual([]));
  closing.defer(() => service.stop());
  return service;
}
