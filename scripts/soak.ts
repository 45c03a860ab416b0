import { parseArgs } from 'node:util';

import { soak } from '../test/faults/soak.ts';
import { wholeNumber } from './whole-number.ts';

/** Thirty days of hours on the fast clock; `--hours` and `--hour-ms` change the length and the pace. */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    hours: { type: 'string', default: '720' },
    'hour-ms': { type: 'string', default: '1000' },
    agents: { type: 'string', default: '50' },
    subscribers: { type: 'string', default: '50' },
  },
});
const number = (name: keyof typeof values): number => wholeNumber(name, values[name]);
const faults = await soak({
  seed: number('seed'),
  hours: number('hours'),
  hourMs: number('hour-ms'),
  agents: number('agents'),
  subscribers: number('subscribers'),
  log: (line) => void process.stdout.write(`${line}\n`),
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(faults.length === 0 ? 'Nothing is wrong\n' : `${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
