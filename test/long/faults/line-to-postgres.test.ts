import { expect, test } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';

import { ANSWER_MS } from '../../../src/limits.ts';
import { arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { troubledLine } from '../../faults/troubled-line.ts';
import { started } from '../../support/deployment.ts';
import { sharedDatabase, sharedDisposable } from '../../support/shared.ts';

const SPEED = 1_200;

const database = sharedDatabase();
const line = sharedDisposable(() => troubledLine(database.connection));
// Two processes: what one holds when it stops short, the other must be able to go on with.
const service = sharedDisposable(() => started({ CLOCK_SPEED: String(SPEED), DATABASE_URL: line.url }, [{}, {}]));
const arena = sharedDisposable(() =>
  arenaUnderFault({ urls: service.urls, connection: async () => database.connection, speed: SPEED, seed: 11 }),
);

test('a submission whose commit’s answer is lost gets no 201, and its retry gets the truth', () =>
  arena.undergo({
    name: 'every fourth answer of PostgreSQL lost with its connection, for 3 s',
    async happen() {
      line.lose(0.25);
      await delay(3_000);
      line.lose(0);
    },
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('clients get a retry time without a longer wait while PostgreSQL is too slow', () =>
  arena.undergo({
    // Longer than an answer may take: else only who needs several statements is refused, and there may be none just then.
    name: 'every answer of PostgreSQL 4.5 s late, for 10 s',
    async happen() {
      line.slow(ANSWER_MS + 500);
      await delay(10_000);
      line.slow(0);
    },
    seen: (during) => expect(during.countOf(503)).toBeGreaterThan(0),
  }));

test('a process frozen longer than a job’s lock does nothing twice when it continues', () =>
  arena.undergo({
    name: 'one of two processes frozen (SIGSTOP) for 9 s',
    async happen() {
      service.first.signal('SIGSTOP');
      await delay(9_000);
      service.first.signal('SIGCONT');
    },
    // The frozen process itself can answer nobody.
    longestMs: 15_000,
  }));
