import { readFileSync } from 'node:fs';

/** Prints how long each step took, the slowest suites, and the sums of several runs' results, as Jest prints those of one. */
const SLOWEST = 15;
const [, , steps = '', ...files] = process.argv;
const runs = files.map((file) => JSON.parse(readFileSync(file, 'utf8')));

function print(lines) {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function stepLines() {
  const rows = readFileSync(steps, 'utf8').trim().split('\n');
  return rows.map((row) => {
    const [name, seconds, code] = row.split('\t');
    return `${`${seconds} s`.padStart(8)}  ${name}${code === '0' ? '' : ` (failed with ${code})`}`;
  });
}

function slowestSuites() {
  return runs
    .flatMap(({ testResults }) => testResults)
    .map(({ name, startTime, endTime, status }) => ({ name, seconds: (endTime - startTime) / 1000, status }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds, status }) => {
      const path = name.slice(name.lastIndexOf('/test/') + 1);
      return `${`${seconds.toFixed(1)} s`.padStart(8)}  ${path}${status === 'passed' ? '' : ` (${status})`}`;
    });
}

function failures() {
  return runs
    .flatMap(({ testResults }) => testResults)
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => [
      name.slice(name.lastIndexOf('/test/') + 1),
      ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => `    ${fullName}`),
    ]);
}

function sum(name, what) {
  const [failed, skipped, passed, total] = [
    `numFailed${what}`,
    `numPending${what}`,
    `numPassed${what}`,
    `numTotal${what}`,
  ].map((key) => runs.reduce((all, run) => all + run[key], 0));
  const parts = [
    failed > 0 && `${failed} failed`,
    skipped > 0 && `${skipped} skipped`,
    `${passed} passed`,
    `${total} total`,
  ];
  return `${name.padEnd(13)}${parts.filter(Boolean).join(', ')}`;
}

print(['', 'Steps:', ...stepLines(), `Slowest suites:`, ...slowestSuites()]);
if (failures().length > 0) print(['Failed:', ...failures()]);
print([sum('Test Suites:', 'TestSuites'), sum('Tests:', 'Tests')]);
