import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

interface Place {
  readonly path: string;
  /** Each match has the version between its first and its second group. */
  readonly pattern: RegExp;
}

interface Found {
  readonly path: string;
  readonly version: string;
}

/** Every place that names the version of service and clients. */
const PLACES: readonly Place[] = [
  { path: 'package.json', pattern: /^(  "version": ")[^"]+(")/gm },
  { path: 'package-lock.json', pattern: /("name": "hourcast",\n\s+"version": ")[^"]+(")/g },
  { path: 'clients/js/package.json', pattern: /^(  "version": ")[^"]+(")/gm },
  { path: 'clients/python/src/hourcast/__init__.py', pattern: /^(__version__ = ")[^"]+(")/gm },
  { path: 'docs/clients.md', pattern: /(hourcast-(?:client-)?)\d+\.\d+\.\d+(\.tgz|-py3)/g },
  {
    path: 'src/openapi/examples.json',
    pattern: /("service": "Hourcast",\s+"timestamp": "[^"]+",\s+"version": ")[^"]+(")/g,
  },
];

/** Throws for a place without a version. */
export function versionsIn(root: string): readonly Found[] {
  return PLACES.flatMap(({ path, pattern }) => {
    const found = [...readFileSync(join(root, path), 'utf8').matchAll(pattern)].map(
      ([whole, before = '', after = '']) => ({
        path,
        version: whole.slice(before.length, whole.length - after.length),
      }),
    );
    if (found.length === 0) throw new Error(`${path} names no version where the release writes it.`);
    return found;
  });
}

export function writeVersions(root: string, version: string): void {
  for (const { path, pattern } of PLACES) {
    const file = join(root, path);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(pattern, `$1${version}$2`));
  }
}
