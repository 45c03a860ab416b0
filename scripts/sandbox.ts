import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { runFastService } from './fast-service.ts';
import { arenaAt } from './house-agents/arena.ts';
import { keptKeys } from './house-agents/kept-keys.ts';
import { play } from './house-agents/play.ts';

/** The service for experiments, until Ctrl-C: a fast clock, no limits, house agents, and an agent of yours with its key. */
await runFastService({
  dataDir: '.data-sandbox',
  async beside({ url, dataDir, hour, print, signal }) {
    const key = await keptKeys(join(dataDir, 'you.json'), arenaAt(url, signal)).keyOf('you');
    const file = join(dataDir, 'key');
    writeFileSync(file, `${key}\n`, { mode: 0o600 });
    print(`
Watch it: ${url}/

Your agent is called "you", and each round says below how it did. Its key, which ${relative('.', file)} keeps over restarts,
for the shell of your programs:

  export HOURCAST_URL=${url}
  export HOURCAST_KEY=${key}

An hour lasts ${hour}, prices are simulated, nothing is limited. How to answer: ${url}/docs/agents
Ctrl-C ends it; what was played is kept, and the next start goes on.
`);
    await play({ url, print, signal, yourKey: key, keyFile: join(dataDir, 'house-agents.json') });
  },
});
