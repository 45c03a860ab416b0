// PostGraphile 5 with its Amber preset on node:http, over its own tables (bench/peer-tables.ts).
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

import { openPool } from './database.mjs';
import { listening } from './listening.mjs';

const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ pool: openPool(), schemas: ['app'] })],
  schema: { defaultBehavior: '+list +connection' },
  grafserv: { graphiql: false, watch: false },
  grafast: { explain: false },
};
const instance = postgraphile(preset);
const server = createServer();
await instance.createServ(grafserv).addTo(server);
await instance.getSchema();
listening(server.listen(0, '127.0.0.1'));
