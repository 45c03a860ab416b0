import { parseArgs } from 'node:util';

import { killLoop } from '../test/faults/kill-loop.ts';
import { wholeNumber } from './whole-number.ts';

/** Kills the service at random moments and checks its data after each kill. `--seed` and `--kills` repeat an earlier run. */
const { values } = parseArgs({ options: { seed: { type: 'string' }, kills: { type: 'string', default: '200' } } });
const seed = wholeNumber('seed', values.seed ?? String(Date.now() % 1_000_000));
const kills = wholeNumber('kills', values.kills);

const stopping = new AbortController();
process.once('SIGINT', () => stopping.abort());
process.stdout.write(`Killing ${kills} times with --seed ${seed}\n`);
const report = await killLoop({
  seed,
  kills,
  signal: stopping.signal,
  log: (line) => void process.stdout.write(`${line}\n`),
});
process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
process.exitCode = report.differences.length === 0 ? 0 : 1;
