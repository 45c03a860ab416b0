import { describe, expect, test } from '@jest/globals';
import { userInfo } from 'node:os';

import { parseDatabaseUrl } from '../../src/database/connection.ts';

const account = userInfo().username;

describe('database URLs', () => {
  test.each([
    [
      'postgresql://ann:p%40ss@db.example:6543/arena',
      { host: 'db.example', port: 6543, user: 'ann', password: 'p@ss', database: 'arena' },
    ],
    ['postgres://ann@db.example', { host: 'db.example', port: 5432, user: 'ann', database: 'ann' }],
    ['postgresql:///', { host: 'localhost', port: 5432, user: account, database: account }],
    [
      'postgresql://ann@/arena?host=/run/postgresql',
      { host: '/run/postgresql', port: 5432, user: 'ann', database: 'arena' },
    ],
    ['postgresql://ann@[::1]:1234/arena', { host: '::1', port: 1234, user: 'ann', database: 'arena' }],
  ])('the URL %s is parsed and completed as by libpq', (url, connection) => {
    expect(parseDatabaseUrl(url)).toEqual(connection);
  });

  test.each([
    ['postgresql://ann:p%2Cw@one:6543,two/arena?target_session_attrs=read-write', 'one:6543,two:5432'],
    ['postgresql://[::1]:1234,[::2]/arena', '[::1]:1234,[::2]:5432'],
    ['postgresql://ann@/arena?host=/run/one,/run/two&port=5433', '/run/one:5433,/run/two:5433'],
    ['postgresql://ann@/arena?host=one,two&port=1,2&target_session_attrs=primary', 'one:1,two:2'],
  ])('a URL with several hosts gives them all: %s', (url, host) => {
    expect(parseDatabaseUrl(url)).toMatchObject({ host, port: 5432, database: 'arena' });
  });

  test.each(['any', 'standby'])('a URL with several hosts is refused with target_session_attrs=%s', (attributes) => {
    expect(() => parseDatabaseUrl(`postgresql://ann:secret@one,two/arena?target_session_attrs=${attributes}`)).toThrow(
      `must have target_session_attrs=read-write where it names several hosts (got "${attributes}")`,
    );
  });

  test.each([
    ['', undefined],
    ['?sslmode=disable', false],
    ['?sslmode=require', { rejectUnauthorized: false }],
    ['?sslmode=verify-full', {}],
    ['?sslmode=no-verify', { rejectUnauthorized: false }],
    ['?uselibpqcompat=true&sslmode=require', { rejectUnauthorized: false }],
  ])('a URL with "%s" keeps its TLS mode', (parameters, ssl) => {
    expect(parseDatabaseUrl(`postgresql://ann@db.example/arena${parameters}`).ssl).toEqual(ssl);
  });

  test.each(['/', '#', '?'])('a password with a plain %s is refused with advice', (sign) => {
    expect(() => parseDatabaseUrl(`postgresql://ann:sec${sign}ret@db.example/arena`)).toThrow(
      /^The database URL must look like [^;]+; percent-encode (?!.*ret@)/,
    );
  });

  test.each(['postgresql://ann:secret@db.example:notaport/arena', 'postgresql://ann:secret@/arena?port=99999999'])(
    'an invalid URL is refused without its password: %s',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(/^The database URL (?!.*secret)/);
    },
  );
});
