import { readFileSync } from 'node:fs';

/** Prints the sums of several runs' results, as Jest prints those of one. */
const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, 'utf8')));

function line(name, what) {
  const [failed, skipped, passed, total] = [
    `numFailed${what}`,
    `numPending${what}`,
    `numPassed${what}`,
    `numTotal${what}`,
  ].map((key) => runs.reduce((sum, run) => sum + run[key], 0));
  const parts = [
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
    `${passed} passed`,
    `${total} total`,
  ];
  return `${name.padEnd(13)}${parts.filter(Boolean).join(', ')}\n`;
}

process.stdout.write(line('Test Suites:', 'TestSuites') + line('Tests:', 'Tests'));
