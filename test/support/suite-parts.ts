import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

/** Matching suites, by their paths from the project's folder. */
export function suitesOf(patterns: readonly string[]): string[] {
  return globSync([...patterns], { cwd: ROOT }).toSorted();
}

/** Runtime imports of a file, by packages' names and paths from the project's folder. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return [...text.matchAll(/^(?:import|export)(?! type)\b[^;'=]*?'([^']+)'/gm)].flatMap(([, from = '']) => {
    const target = from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
    return target.startsWith('node:') || existsSync(join(ROOT, target)) ? [target] : [];
  });
}

/** A suite's test files and scripts: itself, and those it imports directly or indirectly. */
function partsOf(suite: string): string[] {
  const parts = new Set([suite]);
  for (const part of parts) {
    for (const target of importsOf(part)) if (/^(test|scripts)\/.*\.ts$/.test(target)) parts.add(target);
  }
  return [...parts];
}

/** Suites with a part that imports such a target. */
export function reaching(suites: readonly string[], isReached: (target: string, part: string) => boolean): string[] {
  return suites.filter((suite) =>
    partsOf(suite).some((part) => importsOf(part).some((target) => isReached(target, part))),
  );
}
