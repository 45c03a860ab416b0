import { describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A suite that needs these programs: skipped with the reason in its name where one is missing, failing there with CI=true. */
export function describeWith(programs: readonly string[], name: string, suite: () => void): void {
  const missing = programs.filter((program) => !isInstalled(program)).join(', ');
  if (missing === '') {
    describe(name, suite);
  } else if (process.env['CI'] === 'true') {
    test(`${name}: ${missing} is there`, () => {
      expect(`${missing} is not installed`).toBe('installed');
    });
  } else {
    test.skip(`${name} (skipped: no ${missing} is installed)`, () => {});
  }
}

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(':');
  return folders.some((folder) => existsSync(join(folder, program)));
}

/** A block of a document, the first that `words` are in, as a user would copy it; and what stands for the user's own. */
export function blockWith(document: string, words: string, own: Readonly<Record<string, string>> = {}): string {
  const blocks = [...document.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (found === undefined) throw new Error(`No block of the document has "${words}" in it`);
  return Object.entries(own).reduce((block, [theirs, ours]) => {
    if (!block.includes(theirs)) throw new Error(`The block must have "${theirs}" in it, to be replaced: ${block}`);
    return block.replaceAll(theirs, ours);
  }, found);
}
