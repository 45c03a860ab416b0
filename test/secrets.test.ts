import { expect, test } from '@jest/globals';

import { readConfig } from '../src/config.ts';
import { secretsOf } from '../src/secrets.ts';

function secretsWith(variables: Record<string, string>): Set<string> {
  return new Set(secretsOf(readConfig(variables)));
}

test('the settings without secrets have none', () => {
  expect(secretsWith({})).toEqual(new Set());
  expect(secretsWith({ DATABASE_URL: 'postgresql://ann@db/arena', REDIS_URL: 'redis://cache:6379' })).toEqual(
    new Set(),
  );
});

test('passwords of stores are secrets, as they are and as an address writes them', () => {
  expect(secretsWith({ DATABASE_URL: 'postgresql://ann:p%40ss@db:5432/arena' })).toEqual(new Set(['p%40ss', 'p@ss']));
  expect(secretsWith({ DATABASE_URL: 'postgresql:///arena?host=/run&password=hidden' })).toEqual(new Set(['hidden']));
  expect(secretsWith({ REDIS_URL: 'redis://:cached@cache:6379' })).toEqual(new Set(['cached']));
});

test('the pepper and the token are', () => {
  expect(secretsWith({ KEY_PEPPER: 'pepper', ADMIN_TOKEN: 'token-of-operators' })).toEqual(
    new Set(['pepper', 'token-of-operators']),
  );
});
