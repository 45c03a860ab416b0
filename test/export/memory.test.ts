import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { MikroORM } from '@mikro-orm/postgresql';

import { openOrm } from '../../src/database/orm.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { begin, type StartedProcess } from '../support/process.ts';
import { insertHistory } from '../support/many-rows.ts';

const AGENTS = 200;
const ROUNDS = 500;
/** All that the server's heap may hold, itself included; the rows alone would take some 100 MB, their text 30 MB. */
const HEAP_MEGABYTES = 80;
const MAX_GROWTH_MEGABYTES = 50;
const SERVER = join(import.meta.dirname, 'export-server.ts');

let database: TestDatabase;
let orm: MikroORM;
let server: StartedProcess;
let url: string;

beforeAll(async () => {
  database = await createTestDatabase();
  orm = await openOrm(database.connection, 1);
  await insertHistory(orm.em.fork(), { agents: AGENTS, rounds: ROUNDS });
  const heap = [`--max-old-space-size=${HEAP_MEGABYTES}`, '--max-semi-space-size=4'];
  server = begin({}, [process.execPath, ...heap, SERVER, JSON.stringify(database.connection)]);
  const [, port] = await server.written(/^(\d+)\n/);
  url = `http://127.0.0.1:${port}`;
});

afterAll(async () => {
  await server.end('SIGKILL');
  await orm.close(true);
  await database.drop();
});

/** Reads an export to its end and counts. */
async function download(path: string): Promise<{ bytes: number; lines: number }> {
  const { body } = await fetch(url + path);
  if (body === null) throw new Error('The export has no body');
  let bytes = 0;
  let lines = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines += 1;
  }
  return { bytes, lines };
}

async function mostMegabytes(): Promise<number> {
  const text = await (await fetch(`${url}/most-memory`)).text();
  return Number(text) / 1024;
}

describe('export of 200,000 predictions', () => {
  test.each(['ndjson', 'csv'])(
    'an export as %s runs in a small heap, with little more than a tenth of it',
    async (format) => {
      await download(`/api/export/predictions.${format}?to=2020-01-05`);
      const before = await mostMegabytes();
      const started = performance.now();
      const { bytes, lines } = await download(`/api/export/predictions.${format}`);
      const seconds = (performance.now() - started) / 1000;
      const after = await mostMegabytes();
      expect(lines).toBe(AGENTS * ROUNDS + (format === 'csv' ? 1 : 0));
      process.stdout.write(
        `${format}: ${lines} lines, ${(bytes / 2 ** 20).toFixed(1)} MB in ${seconds.toFixed(1)} s; most memory ${before.toFixed(0)} MB before, ${after.toFixed(0)} MB after\n`,
      );
      expect(after - before).toBeLessThan(MAX_GROWTH_MEGABYTES);
    },
  );
});
