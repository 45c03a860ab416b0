import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { RULES_DIGESTS } from '../../src/rules/versions.ts';
import { GOLDEN, GOLDEN_FOLDER, reproduced } from './golden-drivers.ts';
import { run } from './programs.ts';

/** How many lines there are of each file and version. */
function linesOf(folder: string): Record<string, number> {
  const files = readdirSync(folder).map((file) => ({ name: file.replace('.json', ''), path: join(folder, file) }));
  const counts = files.flatMap(({ name, path }) => {
    const versions: Record<string, unknown[]> = JSON.parse(readFileSync(path, 'utf8'));
    return Object.entries(versions).map(([version, lines]) => [`${name} ${version}`, lines.length]);
  });
  return Object.fromEntries(counts);
}

test.each(GOLDEN)(
  'the client in $language reproduces every golden vector and digest, bit for bit',
  async (language) => {
    const { same, digests, stderr } = await reproduced(language);
    expect(stderr).toBe('');
    expect(same).toEqual(linesOf(GOLDEN_FOLDER));
    expect(digests).toEqual(Object.fromEntries(Object.entries(RULES_DIGESTS)));
  },
);

const OF_NAN = 'from hourcast.rules.special_functions import normal_cdf; normal_cdf(float("nan"))';

test('the normal distribution of the client in Python refuses NaN', async () => {
  for (const { modules } of GOLDEN.filter(({ language }) => language === 'Python')) {
    const { stderr } = await run(['python3', '-c', OF_NAN], {
      env: { PYTHONPATH: modules, PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(stderr).toContain('ValueError: z must be a number (got NaN)');
  }
});
