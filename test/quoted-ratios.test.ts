import { readFileSync } from 'node:fs';

import { expect, test } from '@jest/globals';

import { quotedRatios, withPart } from '../bench/quoted-ratios.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

test('the README and docs/performance.md quote the ratios of bench/results.md', () => {
  const { readme, page } = quotedRatios(read('bench/results.md'));
  expect(read('README.md')).toBe(withPart(read('README.md'), 'ratios', readme));
  expect(read('docs/performance.md')).toBe(withPart(read('docs/performance.md'), 'ratios', page));
});

test('a quote is the smallest and the largest median of its row', () => {
  const rows = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8', 'P10', 'P11', 'P12'];
  const results = rows.map((row) => {
    const lines = `| a | 0.10 x | **2.00 x** | 3.00 x |\n| b | 0.10 x | **11 x** | 30 x |`;
    return `<!-- ${row} -->\n${lines}\nelse **99 x**\n<!-- end of ${row} -->`;
  });
  const { readme, page } = quotedRatios(results.join('\n'));
  expect(readme).toContain('| submissions a second, beside Express 5 with one INSERT | 2.00 to 11 x |');
  expect(page).toContain('| P1 | submissions a second, beside Express 5 with one INSERT | 2 x, 2.5 x | 2.00 to 11 x |');
});
