import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { generatedFiles } from '../../clients/reference/generated-files.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

describe('the clients', () => {
  test.each(generatedFiles().map(({ url, text }) => ({ name: basename(fileURLToPath(url)), url, text })))(
    '$name is what `npm run codegen:clients` writes',
    ({ url, text }) => {
      expect(readFileSync(url, 'utf8')).toBe(text);
    },
  );

  test('the clients have the service’s version', () => {
    const { version } = JSON.parse(read('package.json'));
    const { version: ofJavascript } = JSON.parse(read('clients/js/package.json'));
    const [, ofPython] = /__version__ = "(.+)"/.exec(read('clients/python/src/hourcast/__init__.py')) ?? [];
    expect({ ofJavascript, ofPython }).toEqual({ ofJavascript: version, ofPython: version });
  });

  test('the clients have no dependencies', () => {
    const { dependencies, peerDependencies, optionalDependencies } = JSON.parse(read('clients/js/package.json'));
    expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
    expect(read('clients/python/pyproject.toml')).not.toMatch(/^dependencies/m);
  });
});
