import { join } from 'node:path';

import { runFastService } from './fast-service.ts';
import { play } from './house-agents/play.ts';

/** Runs the service with a fast clock and a dozen house agents, until Ctrl-C. */
await runFastService({
  dataDir: '.data-demo',
  beside: ({ dataDir, ...running }) => play({ ...running, keyFile: join(dataDir, 'house-agents.json') }),
});
