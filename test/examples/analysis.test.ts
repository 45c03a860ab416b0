import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { openFolder } from '../support/data-folder.ts';
import { whereInstalled } from '../support/installed.ts';

const PROGRAM = join(import.meta.dirname, '../../examples/analysis.py');

const HEAD = 'agent_name,score,streak_bonus,pnl_usd,brier,answers,is_correct,confidence,lead_seconds';

const NAME = 'analysis.py shows skill from 20 rounds on';

whereInstalled(['python3'], NAME, () => {
  test(NAME, async () => {
    const rows = [20, 19].flatMap((count) =>
      Array.from({ length: count }, () => `agent-${count},100,0,9,0.09,2,1,70,1800`),
    );
    const folder = await openFolder('hourcast-analysis-');
    const file = join(folder, 'predictions.csv');
    writeFileSync(file, [HEAD, ...rows, ''].join('\n'));
    const { stdout, stderr } = spawnSync('python3', [PROGRAM, file], { encoding: 'utf8' });
    await rm(folder, { recursive: true });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/agent-20 .* 0\.090 +\+0\.64 /);
    expect(stdout).toMatch(/agent-19 .* 0\.090 +- /);
  });
});
