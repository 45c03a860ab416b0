import express from 'express';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { openOrm } from '../../src/database/orm.ts';
import { exportRoutes } from '../../src/export/export-routes.ts';
import { rowReader } from '../../src/export/row-stream.ts';

// A process of its own, so that its memory is that of the exports: it serves them and tells its highest use so far.
const connection: DatabaseConnection = JSON.parse(process.argv[2] ?? '');
const orm = await openOrm(connection);
const app = express();
const report = (error: unknown): void => {
  process.stderr.write(`${String(error)}\n`);
};
for (const { path, answer } of exportRoutes({
  picks: 'open',
  read: rowReader((work) => work(orm.em.fork()), 3),
  report,
}))
  app.get(path, answer);
app.get('/most-memory', (_request, response) => {
  response.send(String(process.resourceUsage().maxRSS));
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') process.stdout.write(`${address.port}\n`);
});
