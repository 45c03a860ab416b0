import { describe, expect, test } from '@jest/globals';

import { readRedisUrl } from '../../../src/backplane/redis/address.ts';

const PLAIN = {
  host: 'cache',
  port: 6379,
  user: undefined,
  password: undefined,
  database: 0,
  tls: false,
  tlsFiles: {},
  prefix: 'hourcast',
};

describe('REDIS_URL', () => {
  test.each([
    ['redis://cache', {}],
    ['redis://cache/', {}],
    ['redis://cache:6379/0', {}],
    ['redis://10.0.0.7:7000/3', { host: '10.0.0.7', port: 7000, database: 3 }],
    ['redis://[::1]:7000', { host: '::1', port: 7000 }],
    ['redis://:p%40ss%3Aword@cache', { password: 'p@ss:word' }],
    ['redis://ann:pw@cache', { user: 'ann', password: 'pw' }],
    ['redis://cache?prefix=staging', { prefix: 'staging' }],
    ['rediss://cache', { tls: true }],
    [
      'rediss://cache:6380/1?ca=/etc/ca.pem&cert=/etc/me.pem&key=/etc/me.key',
      {
        port: 6380,
        database: 1,
        tls: true,
        tlsFiles: { ca: '/etc/ca.pem', cert: '/etc/me.pem', key: '/etc/me.key' },
      },
    ],
  ])('the address %s is accepted', (url, address) => {
    expect(readRedisUrl(url)).toEqual({ ...PLAIN, ...address });
  });

  test.each([
    'redis://',
    'redis:cache',
    'cache:6379',
    'redis://one,two',
    'redis://one:6379,two:6379',
    'redis://cache:0',
    'redis://cache:65536',
    'redis://cache/first',
    'redis://cache/65536',
    'redis://cache/0/1',
    'redis://:p%zz@cache',
    'redis://:p/w@cache',
    'redis://ca che',
    'redis://cache?ca=/etc/ca.pem',
    'rediss://cache?ca=',
    'redis://cache?name=leader',
    'redis://cache?prefix={x}',
    'redis://cache?prefix=a&prefix=b',
    'redis://cache?colour=red',
    'redis://cache#part',
    'redis+cluster://one',
    'redis+sentinel://one?name=leader',
    'http://cache',
    'unix:///run/redis.sock',
  ])('the address %s is refused', (url) => {
    expect(readRedisUrl(url)).toBeNull();
  });
});
