import { createInterface } from 'node:readline';

import { parseDatabaseUrl } from '../../src/database/connection.ts';
import { openOrm } from '../../src/database/orm.ts';
import { applyDefaultAnswers } from '../../src/jobs/cycle/apply-default-answers.ts';

/* A worker that does one thing, so that it can be killed while it does it: of each instant that it reads it applies what stands. */

const orm = await openOrm(parseDatabaseUrl(process.env['DATABASE_URL'] ?? ''));
process.stdout.write('ready\n');
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write('begun\n');
  const now = new Date(line);
  await applyDefaultAnswers({ newEm: () => orm.em.fork(), clock: { now: () => now }, lockMs: 0, announce: () => {} });
  process.stdout.write('done\n');
}
await orm.close(true);
