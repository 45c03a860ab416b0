import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const COMPOSE = read('compose.yaml');
const SETTINGS = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);

/** The image has its own port and address, and no embedded PostgreSQL; each service says its role itself. */
const NOT_PASSED_ON = ['PORT', 'HOST', 'DATA_DIR', 'ROLE'];

/** What compose hands over by itself; everything else comes from `.env`. */
const GIVEN = ['DATABASE_URL', 'REDIS_URL'];

const [, passed = ''] = /^x-environment: &environment\n((?: {2}.+\n)+)/m.exec(COMPOSE) ?? [];
const rows = [...passed.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, name = '', value = '']) => ({ name, value }));

test('every setting reaches the containers of compose.yaml, under its own name', () => {
  const settings = SETTINGS.filter((name) => !NOT_PASSED_ON.includes(name));
  expect(settings.length).toBeGreaterThan(15);
  expect(rows.map(({ name }) => name)).toEqual(settings);
  const others = rows.filter(({ name }) => !GIVEN.includes(name));
  expect(others.filter(({ name, value }) => !new RegExp(`^\\$\\{${name}:[-?]\\w*\\}$`).test(value))).toEqual([]);
});

test('both services of compose.yaml are given them', () => {
  for (const role of ['api', 'worker']) expect(COMPOSE).toContain(`environment: { <<: *environment, ROLE: ${role} }`);
});
