import { describe, expect, test } from '@jest/globals';
import { userInfo } from 'node:os';

import { parseDatabaseUrl } from '../../src/database/connection.ts';

const account = userInfo().username;

describe('a database URL', () => {
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
  ])('%s is read, and completed, as libpq does', (url, connection) => {
    expect(parseDatabaseUrl(url)).toEqual(connection);
  });

  test.each([
    ['postgresql://ann:p%2Cw@one:6543,two/arena?target_session_attrs=read-write', 'one:6543,two:5432'],
    ['postgresql://[::1]:1234,[::2]/arena', '[::1]:1234,[::2]:5432'],
    ['postgresql://ann@/arena?host=/run/one,/run/two&port=5433', '/run/one:5433,/run/two:5433'],
    ['postgresql://ann@/arena?host=one,two&port=1,2&target_session_attrs=primary', 'one:1,two:2'],
  ])('of several hosts names them all: %s', (url, host) => {
    expect(parseDatabaseUrl(url)).toMatchObject({ host, port: 5432, database: 'arena' });
  });

  test.each(['any', 'standby'])('of several hosts is refused where %s would do', (attributes) => {
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
  ])('with "%s" keeps what it asks of TLS', (parameters, ssl) => {
    expect(parseDatabaseUrl(`postgresql://ann@db.example/arena${parameters}`).ssl).toEqual(ssl);
  });

  test.each(['postgresql://ann:secret@db.example:notaport/arena', 'postgresql://ann:secret@/arena?port=99999999'])(
    'that makes no sense is refused without its password: %s',
    (url) => {
      expect(() => parseDatabaseUrl(url)).toThrow(/^The database URL (?!.*secret)/);
    },
  );
});
