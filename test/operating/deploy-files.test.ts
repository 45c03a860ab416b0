import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';

import { readConfig } from '../../src/config.ts';
import { USUAL_CONNECTIONS } from '../../src/database/connection-shares.ts';

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const SETTINGS = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name = '']) => name);
const { services } = parse(read('deploy/compose.yaml'), { merge: true });
const single = parse(read('deploy/compose.single.yaml'), { merge: true }).services;

/** The image has its own port and address, and no embedded PostgreSQL. */
const NOT_PASSED_ON = ['PORT', 'HOST', 'DATA_DIR'];

/** What compose hands over by itself; everything else comes from `.env`. */
const GIVEN = ['DATABASE_URL', 'REDIS_URL', 'ROLE'];

test.each(['api', 'worker', 'feed'])('every setting reaches the containers of %s under its own name', (role) => {
  // Node's own; no setting.
  const { NODE_OPTIONS: _, ...environment }: Record<string, string> = services[role].environment;
  const settings = SETTINGS.filter((name) => !NOT_PASSED_ON.includes(name));
  expect(settings.length).toBeGreaterThan(15);
  expect(Object.keys(environment).toSorted()).toEqual(settings.toSorted());
  expect(environment['ROLE']).toBe(role);
  const passed = Object.entries(environment).filter(([name]) => !GIVEN.includes(name));
  expect(passed.filter(([name, value]) => !new RegExp(`^\\$\\{${name}:[-?]\\w*\\}$`).test(value))).toEqual([]);
});

test('all roles start after the PostgreSQL and the Redis of their settings', () => {
  for (const { depends_on: first, environment } of [services.api, services.worker, services.feed]) {
    const named = [environment.DATABASE_URL, environment.REDIS_URL].map(
      (url) => new URL(url.replace(/\$\{.*?\}/, 'x')),
    );
    expect(named.map(({ hostname }) => hostname)).toEqual(Object.keys(first));
    expect(Object.keys(first).filter((name) => services[name].healthcheck === undefined)).toEqual([]);
  }
});

test('one process starts after its PostgreSQL, from the same image, without a file of settings', () => {
  expect(Object.keys(single)).toEqual(['hourcast', 'postgres']);
  const { environment, depends_on: first, env_file: files, image, build } = single.hourcast;
  expect([image, build]).toEqual([services.api.image, services.api.build]);
  expect(files).toEqual([{ path: '.env', required: false }]);
  expect(JSON.stringify(single)).not.toMatch(/\$\{\w+(:\?|\})/);
  expect(Object.keys(first)).toEqual(['postgres']);
  const shown = Object.entries<string>(environment).map(([name, text]) => [
    name,
    text.replaceAll(/\$\{\w+:-(\w*)\}/g, '$1'),
  ]);
  const { databaseUrl, market } = readConfig(Object.fromEntries(shown));
  const { hostname, username, password } = new URL(databaseUrl ?? '');
  expect([market, hostname, username, password]).toEqual(['live', 'postgres', 'hourcast', 'hourcast']);
  expect(single.postgres.ports).toBeUndefined();
});

test.each([...Object.entries(services), ...Object.entries(single)])(
  'the container of %s has a read-only root and no privileges but those of the start of PostgreSQL',
  (name, container) => {
    expect(container).toMatchObject({ read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] });
    expect(container).toHaveProperty('tmpfs', expect.arrayContaining(['/tmp']));
    expect(Object.hasOwn(Object(container), 'cap_add')).toBe(name === 'postgres');
  },
);

test('the service accepts the settings of deploy/hourcast.env, which include live prices', () => {
  const { inEffect } = readConfig(parseEnv(read('deploy/hourcast.env')));
  expect(inEffect).toMatchObject({ MARKET: 'live', TRUST_PROXY: '1' });
});

test('deploy/hourcast.service restarts without end, however long PostgreSQL takes', () => {
  const [, unit = '', service = ''] = read('deploy/hourcast.service').split(/^\[(?:Unit|Service)\]$/m);
  expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  expect(service).toMatch(/^Restart=always$/m);
});

test('deploy/pgbouncer.ini has sessions for two api and two worker processes, fewer than PostgreSQL', () => {
  const lines = [...read('deploy/pgbouncer.ini').matchAll(/^(\w+) = (.*)$/gm)];
  const { pool_mode: mode, default_pool_size: size } = Object.fromEntries(lines.map(([, name, text]) => [name, text]));
  const atStart = USUAL_CONNECTIONS + 2;
  expect([mode, Number(size)]).toEqual(['session', 4 * atStart]);
  expect(Number(size)).toBeLessThan(100);
});
