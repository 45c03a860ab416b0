import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

import { play } from './demo/play.ts';

/** What the demo sets where the caller does not: an hour lasts 30 seconds, on prices that need no internet. */
const SETTINGS = {
  MARKET: 'simulated',
  CLOCK_SPEED: '120',
  RATE_LIMITS: 'off',
  DATA_DIR: '.data-demo',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'pretty',
};

/** The service with a fast clock and a few house agents, until Ctrl-C. */
const ending = new AbortController();
const service = spawn(process.execPath, [fileURLToPath(new URL('../bin/hourcast.js', import.meta.url))], {
  env: { ...SETTINGS, ...process.env },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const ended = once(service, 'exit');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    // Before the service ends: what is asked of it meanwhile fails, and nobody needs to know.
    ending.abort();
    service.kill('SIGTERM');
  });
}
let isPlaying = false;
createInterface({ input: service.stdout }).on('line', (line) => {
  say(line);
  const [url] = /http:\/\/[\w.:[\]-]+/.exec(line) ?? [];
  if (url === undefined || isPlaying) return;
  isPlaying = true;
  play(url, say, ending.signal).catch((error: unknown) => ending.signal.aborted || say(String(error)));
});
const [code] = await ended;
ending.abort();
process.exitCode = typeof code === 'number' ? code : 1;
