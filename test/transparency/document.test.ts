import { expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { RECORD_FIELDS } from '../../src/transparency/leaves.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/log.md'), 'utf8');

test('the example of docs/log.md follows by SHA-256 alone', () => {
  const leaves = [...DOCUMENT.matchAll(/printf '\\0(.*?)' \| sha256sum\) +# ([\da-f]{64})/g)];
  const [root] = [...DOCUMENT.matchAll(/^printf "01.*# ([\da-f]{64})$/gm)].map(([, hex]) => hex);
  const hashes = leaves.map(([, text = '']) => sha256(Buffer.from(`\0${text.replaceAll('\\n', '\n')}`)));
  expect(hashes.map((hash) => hash.toString('hex'))).toEqual(leaves.map(([, , hex]) => hex));
  expect(hashes).toHaveLength(2);
  expect(sha256(Buffer.concat([Buffer.of(1), ...hashes])).toString('hex')).toBe(root);
});

test('docs/log.md lists the names of each record in their order', () => {
  for (const [kind, names] of Object.entries(RECORD_FIELDS)) {
    const row = DOCUMENT.split('\n').find((line) => line.startsWith(`| \`${kind}\` | `)) ?? '';
    const listed = [
      ...row
        .split('|')
        .slice(2)
        .join('|')
        .matchAll(/`(\w+)`/g),
    ].map(([, name]) => name);
    const wanted = kind === 'amended' ? ['amended_at'] : names;
    expect({ kind, listed }).toEqual({ kind, listed: wanted });
  }
});

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}
