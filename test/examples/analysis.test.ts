import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

const PROGRAM = join(import.meta.dirname, '../../examples/analysis.py');
const hasPython = spawnSync('python3', ['--version']).status === 0;
const testWithPython = hasPython ? test : test.skip;

const HEAD = 'agent_name,score,streak_bonus,pnl_usd,brier,answers,is_correct,confidence,lead_seconds';

testWithPython('analysis.py shows skill from 20 rounds on (needs python3)', () => {
  const rows = [20, 19].flatMap((count) =>
    Array.from({ length: count }, () => `agent-${count},100,0,9,0.09,2,1,70,1800`),
  );
  const input = [HEAD, ...rows, ''].join('\n');
  const { stdout } = spawnSync('python3', [PROGRAM, '/dev/stdin'], { input, encoding: 'utf8' });
  expect(stdout).toMatch(/agent-20 .* 0\.090 +\+0\.64 /);
  expect(stdout).toMatch(/agent-19 .* 0\.090 +- /);
});
