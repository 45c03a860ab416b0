import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { RULES_VERSION, type RulesVersion } from '../src/rules/versions.ts';
import { digestOf, GOLDEN, goldenText, type Vectors, vectorsOf } from './golden/vectors.ts';

/*
 * Writes the newest rules version's golden vectors into rules/golden, and prints their digest for RULES in src/rules/versions.ts.
 * Vectors of older versions stay.
 */
const FOLDER = new URL('../rules/golden/', import.meta.url);

for (const name of Object.keys(GOLDEN)) {
  const file = new URL(`${name}.json`, FOLDER);
  const written: Readonly<Record<string, Vectors>> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const kept = new Map<RulesVersion, Vectors>();
  for (const [version, now] of vectorsOf(name)) {
    const before = written[version] ?? [...kept.values()].at(-1);
    kept.set(version, version === RULES_VERSION ? now : (before ?? now));
  }
  writeFileSync(file, goldenText(kept));
}
process.stdout.write(`version ${RULES_VERSION}: ${digestOf(RULES_VERSION)}\n`);
