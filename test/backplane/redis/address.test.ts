import { describe, expect, test } from '@jest/globals';

import { readRedisUrl } from '../../../src/backplane/redis/address.ts';

const PLAIN = {
  kind: 'server',
  user: undefined,
  password: undefined,
  database: 0,
  tls: false,
  tlsFiles: {},
  leader: '',
  sentinelUser: undefined,
  sentinelPassword: undefined,
  prefix: 'hourcast',
};

describe('a REDIS_URL', () => {
  test.each([
    ['redis://cache', { nodes: [{ host: 'cache', port: 6379 }] }],
    ['redis://cache/', { nodes: [{ host: 'cache', port: 6379 }] }],
    ['redis://10.0.0.7:7000/3', { nodes: [{ host: '10.0.0.7', port: 7000 }], database: 3 }],
    ['redis://[::1]:7000', { nodes: [{ host: '::1', port: 7000 }] }],
    ['redis://:p%40ss%3Aword@cache', { nodes: [{ host: 'cache', port: 6379 }], password: 'p@ss:word' }],
    ['redis://ann:pw@cache', { nodes: [{ host: 'cache', port: 6379 }], user: 'ann', password: 'pw' }],
    ['redis://cache?prefix=staging', { nodes: [{ host: 'cache', port: 6379 }], prefix: 'staging' }],
    [
      'rediss://cache:6380/1?ca=/etc/ca.pem&cert=/etc/me.pem&key=/etc/me.key',
      {
        nodes: [{ host: 'cache', port: 6380 }],
        database: 1,
        tls: true,
        tlsFiles: { ca: '/etc/ca.pem', cert: '/etc/me.pem', key: '/etc/me.key' },
      },
    ],
    [
      'redis+cluster://ann:pw@one,two:7001',
      {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 6379 },
          { host: 'two', port: 7001 },
        ],
        user: 'ann',
        password: 'pw',
      },
    ],
    ['rediss+cluster://one/0', { kind: 'cluster', nodes: [{ host: 'one', port: 6379 }], tls: true }],
    [
      'redis+sentinel://ann:pw@one,two:7001/2?name=leader&sentinel_user=watch&sentinel_password=pw2',
      {
        kind: 'sentinel',
        nodes: [
          { host: 'one', port: 26_379 },
          { host: 'two', port: 7001 },
        ],
        user: 'ann',
        password: 'pw',
        database: 2,
        leader: 'leader',
        sentinelUser: 'watch',
        sentinelPassword: 'pw2',
      },
    ],
  ])('%s is read', (url, address) => {
    expect(readRedisUrl(url)).toEqual({ ...PLAIN, ...address });
  });

  test.each([
    'redis://one,two',
    'redis://cache:0',
    'redis://cache:65536',
    'redis://cache/first',
    'redis://cache/65536',
    'redis://cache/0/1',
    'redis://:p%zz@cache',
    'redis://ca che',
    'redis://cache?ca=/etc/ca.pem',
    'redis://cache?name=leader',
    'redis://cache?prefix={x}',
    'redis://cache?prefix=a&prefix=b',
    'redis://cache?colour=red',
    'redis://cache#part',
    'redis+cluster://one/1',
    'redis+cluster://one,',
    'redis+cluster://',
    'redis+sentinel://one',
    'redis+sentinel://one?name=',
    'redis+elsewhere://one',
    'Redis://one',
    'unix:///run/redis.sock',
  ])('is not %s', (url) => {
    expect(readRedisUrl(url)).toBeNull();
  });
});
