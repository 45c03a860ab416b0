import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { quotedRatios, withRatios } from '../bench/quoted-ratios.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('the README quotes the ratios of docs/performance.md', () => {
  const readme = read('README.md');
  expect(readme).toBe(withRatios(readme, quotedRatios(read('docs/performance.md'))));
});

test('a quote is the least and the greatest median of its row', () => {
  const rows = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P10', 'P11'];
  const results = rows.map((row) => {
    const lines = `| a | 0.10 x | **2.00 x** | 3.00 x |\n| b | 0.10 x | **11 x** | 30 x |`;
    return `<!-- ${row} -->\n${lines}\nelse **99 x**\n<!-- end of ${row} -->`;
  });
  expect(quotedRatios(results.join('\n'))).toContain(
    '| P1 | submissions a second, beside Express 5 with one INSERT | 2.00 to 11 x |',
  );
});
