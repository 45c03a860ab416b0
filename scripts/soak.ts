import { parseArgs } from 'node:util';

import { soak } from '../test/faults/soak.ts';

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
const faults = await soak({
  seed: wholeNumber('seed'),
  hours: wholeNumber('hours'),
  hourMs: wholeNumber('hour-ms'),
  agents: wholeNumber('agents'),
  subscribers: wholeNumber('subscribers'),
  log: (line) => void process.stdout.write(`${line}\n`),
});
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(faults.length === 0 ? 'Nothing is wrong\n' : `${faults.length} faults\n`);
process.exitCode = faults.length === 0 ? 0 : 1;

function wholeNumber(name: keyof typeof values): number {
  const text = values[name];
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 1 (got ${text})\n`);
  process.exit(1);
}
