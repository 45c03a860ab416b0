import { describe, expect, test } from '@jest/globals';

import { readConfig, secretsOf } from '../src/config.ts';
import { StartError } from '../src/rules/errors.ts';

/** A setting of the contract's table, by the name that the service gives it inside. */
interface Setting {
  readonly variable: string;
  readonly field: keyof ReturnType<typeof readConfig>;
  readonly unset: unknown;
  readonly accepted: readonly (readonly [text: string, value: unknown])[];
  readonly refused: readonly string[];
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const same = (text: string) => [text, text] as const;

const SETTINGS: readonly Setting[] = [
  {
    variable: 'PORT',
    field: 'port',
    unset: 3000,
    accepted: [
      ['0', 0],
      ['8080', 8080],
      ['65535', 65_535],
    ],
    refused: ['-1', '65536', '80.5', '1e3', '0x50', ' 80', 'http', ' '],
  },
  {
    variable: 'HOST',
    field: 'host',
    unset: '127.0.0.1',
    accepted: ['0.0.0.0', '::1', 'localhost'].map(same),
    refused: [],
  },
  {
    variable: 'DATABASE_URL',
    field: 'databaseUrl',
    unset: undefined,
    accepted: ['postgresql://ann:pw@db:5432/arena', 'postgres://db/arena', 'postgresql:///arena?host=/run/pg'].map(
      same,
    ),
    refused: ['mysql://db/arena', 'db:5432', '/run/pg', 'postgresql:'],
  },
  {
    variable: 'DATA_DIR',
    field: 'dataDir',
    unset: '.data',
    accepted: ['/var/lib/hourcast', 'data'].map(same),
    refused: [],
  },
  {
    variable: 'MARKET',
    field: 'market',
    unset: undefined,
    accepted: ['live', 'simulated', 'replay:/srv/candles', 'replay:a folder'].map(same),
    refused: ['Live', 'replay', 'replay:', 'Simulated', 'kraken'],
  },
  {
    variable: 'MARKET_SOURCES',
    field: 'marketSources',
    unset: ['coinbase', 'kraken', 'binance'],
    accepted: [
      ['kraken', ['kraken']],
      ['binance,coinbase', ['binance', 'coinbase']],
    ],
    refused: ['bitstamp', 'kraken,', 'kraken,kraken', 'kraken, binance', ','],
  },
  ...(['coinbase', 'kraken', 'binance'] as const).map((name): Setting => {
    const none = { coinbase: undefined, kraken: undefined, binance: undefined };
    return {
      variable: `${name.toUpperCase()}_URL`,
      field: 'sourceUrls',
      unset: none,
      accepted: ['http://127.0.0.1:8080', 'https://proxy.example/exchange/'].map((url) => [
        url,
        { ...none, [name]: url },
      ]),
      refused: ['proxy.example', 'ftp://proxy.example', 'http://', '/exchange'],
    };
  }),
  {
    variable: 'MARKET_SWITCH',
    field: 'marketSwitch',
    unset: false,
    accepted: [['yes', true]],
    refused: ['no', 'true', 'YES', '1'],
  },
  {
    variable: 'CLOCK_START',
    field: 'clockStart',
    unset: undefined,
    accepted: [
      ['2026-01-31T12:00:00Z', new Date('2026-01-31T12:00:00Z')],
      ['2026-01-31T12:00:00.250Z', new Date('2026-01-31T12:00:00.250Z')],
    ],
    refused: [
      '2026-01-31',
      '2026-01-31T12:00:00',
      '2026-01-31T12:00:00+01:00',
      '2026-02-30T12:00:00Z',
      '1769860800',
      'now',
    ],
  },
  {
    variable: 'CLOCK_SPEED',
    field: 'clockSpeed',
    unset: 1,
    accepted: [
      ['1', 1],
      ['0.5', 0.5],
      ['3600', 3600],
      ['100000', 100_000],
    ],
    refused: ['0', '-1', '100001', 'Infinity', 'NaN', 'fast', ' '],
  },
  {
    variable: 'RATE_LIMITS',
    field: 'rateLimits',
    unset: true,
    accepted: [
      ['on', true],
      ['off', false],
    ],
    refused: ['OFF', 'false', '0', 'no'],
  },
  {
    variable: 'CORS_ORIGINS',
    field: 'corsOrigins',
    unset: [],
    accepted: [
      ['https://arena.example', ['https://arena.example']],
      [
        'https://arena.example,http://localhost:5173,http://[::1]:8080',
        ['https://arena.example', 'http://localhost:5173', 'http://[::1]:8080'],
      ],
    ],
    refused: [
      '*',
      'arena.example',
      'https://arena.example/',
      'https://arena.example/page',
      'https://arena.example:443',
      'https://Arena.example',
      'https://a.example, https://b.example',
      'https://a.example,',
      'ftp://a.example',
      'null',
    ],
  },
  {
    variable: 'LOCK_MINUTES',
    field: 'lockMinutes',
    unset: 0,
    accepted: [
      ['0', 0],
      ['59', 59],
    ],
    refused: ['60', '-5', '2.5', 'five'],
  },
  {
    variable: 'TRUST_PROXY',
    field: 'trustProxy',
    unset: false,
    accepted: [
      ['true', true],
      ['false', false],
      ['2', 2],
      same('loopback, 10.0.0.0/8, 2001:db8::/32'),
      same('192.0.2.7'),
    ],
    refused: ['yes', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', 'loopback, proxy.example', ',', '-1'],
  },
  { variable: 'KEY_PEPPER', field: 'keyPepper', unset: undefined, accepted: [same('any text: %$ü')], refused: [] },
  {
    variable: 'ADMIN_TOKEN',
    field: 'adminToken',
    unset: undefined,
    accepted: ['sixteen-letters-', '0123456789abcdef'.repeat(4)].map(same),
    refused: ['fifteen-letters', 'sixteen letters and spaces', 'sechzehn-zeichen-ü'],
  },
  { variable: 'LOG_LEVEL', field: 'logLevel', unset: 'info', accepted: LEVELS.map(same), refused: ['loud', 'WARN'] },
  {
    variable: 'LOG_FORMAT',
    field: 'logFormat',
    unset: undefined,
    accepted: ['json', 'pretty'].map(same),
    refused: ['JSON', 'text'],
  },
];

/** Settings of several processes; test/backplane/redis/address.test.ts has the forms of the first. */
const PROCESSES = [
  { variable: 'REDIS_URL', refused: ['localhost:6379', 'http://localhost:6379', 'redis://'] },
  { variable: 'ROLE', refused: ['API', 'workers', 'api,worker'] },
];

function refusal(variables: Record<string, string>): string {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error(`Accepted: ${JSON.stringify(variables)}`);
}

test.each(SETTINGS)('$variable unset or empty is $unset', ({ variable, field, unset }) => {
  expect(readConfig({})[field]).toEqual(unset);
  expect(readConfig({ [variable]: undefined })[field]).toEqual(unset);
  expect(readConfig({ [variable]: '' })[field]).toEqual(unset);
});

test.each(SETTINGS.flatMap((row) => row.accepted.map(([text, value]) => ({ ...row, text, value }))))(
  '$variable takes "$text"',
  ({ variable, field, text, value }) => {
    expect(readConfig({ [variable]: text })[field]).toEqual(value);
  },
);

test.each([...SETTINGS, ...PROCESSES].flatMap((row) => row.refused.map((text) => ({ ...row, text }))))(
  '$variable refuses "$text", naming itself and what it takes',
  ({ variable, text }) => {
    expect(refusal({ [variable]: text })).toMatch(
      new RegExp(`^The service cannot start with these settings:\\n {2}${variable} takes \\S.{6,}$`),
    );
  },
);

test('REDIS_URL unset or empty means one process, which does everything', () => {
  expect(readConfig({})).toMatchObject({ redis: null, role: 'all' });
  expect(readConfig({ REDIS_URL: '', ROLE: '' })).toEqual(readConfig({}));
  expect(readConfig({ ROLE: 'all' })).toEqual(readConfig({}));
});

test.each(['all', 'api', 'worker'])('ROLE takes "%s" with REDIS_URL', (role) => {
  const config = readConfig({ ROLE: role, REDIS_URL: 'redis://cache' });
  expect(config).toMatchObject({ role, redis: { kind: 'server', nodes: [{ host: 'cache', port: 6379 }] } });
});

test.each(['api', 'worker'])('ROLE refuses "%s" while REDIS_URL is unset', (role) => {
  const sentence = 'ROLE takes `all` while REDIS_URL is unset: `api` and `worker` share their work through Redis';
  expect(refusal({ ROLE: role })).toBe(`The service cannot start with these settings:\n  ${sentence}`);
  expect(refusal({ ROLE: role, REDIS_URL: '' })).toContain(sentence);
});

test('a worker listens on any free port, since an api beside it has the usual one', () => {
  const worker = { ROLE: 'worker', REDIS_URL: 'redis://cache' };
  expect(readConfig(worker).port).toBe(0);
  expect(readConfig({ ...worker, PORT: '3100' }).port).toBe(3100);
});

test('one message names every bad variable', () => {
  const bad = Object.fromEntries(
    [...SETTINGS, ...PROCESSES].flatMap(({ variable, refused: [text] }) => (text ? [[variable, text]] : [])),
  );
  const [heading, ...lines] = refusal({ ...bad, HOST: '::1' }).split('\n');
  expect(heading).toBe('The service cannot start with these settings:');
  expect(new Set(lines.map((line) => line.trim().split(' ')[0]))).toEqual(new Set(Object.keys(bad)));
  expect(lines).toHaveLength(Object.keys(bad).length);
});

test('a refusal repeats no value, since some are secrets', () => {
  const secrets = {
    DATABASE_URL: 'mysql://ann:open-sesame@db/arena',
    REDIS_URL: 'redis://:open-sesame@cache?oops',
    KEY_PEPPER: 'open-sesame',
    ADMIN_TOKEN: 'open-sesame',
    PORT: 'open-sesame',
    TRUST_PROXY: 'open-sesame',
  };
  expect(refusal(secrets)).not.toContain('sesame');
});

describe('a replica', () => {
  const DATABASE_URL = 'postgresql://db/arena';

  test('is read where there is a database that it can be of', () => {
    const DATABASE_READ_URL = 'postgresql://ann@standby:5433/arena';
    expect(readConfig({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrl).toBe(DATABASE_READ_URL);
    expect(readConfig({ DATABASE_URL }).databaseReadUrl).toBeUndefined();
  });

  test('is refused beside the embedded PostgreSQL, and where its address is none', () => {
    expect(refusal({ DATABASE_READ_URL: 'postgresql://standby/arena' })).toContain(
      'DATABASE_READ_URL takes nothing while DATABASE_URL is unset',
    );
    expect(refusal({ DATABASE_URL, DATABASE_READ_URL: 'standby:5433' })).toContain(
      'DATABASE_READ_URL takes a PostgreSQL address',
    );
  });
});

test('in production MARKET must be set, whatever else is wrong', () => {
  expect(refusal({ NODE_ENV: 'production' })).toContain('MARKET must be set when NODE_ENV is production');
  expect(refusal({ NODE_ENV: 'production', MARKET: '', PORT: 'x' })).toMatch(/PORT takes .+\n {2}MARKET must be set/);
  for (const market of ['simulated', 'live'])
    expect(readConfig({ NODE_ENV: 'production', MARKET: market }).market).toBe(market);
  expect(readConfig({ NODE_ENV: 'development' }).market).toBeUndefined();
});

describe('another time than the real one, with live prices', () => {
  const LIVE = { MARKET: 'live', MARKET_SOURCES: 'coinbase,kraken' };
  const REPLACED = { COINBASE_URL: 'http://127.0.0.1:1', KRAKEN_URL: 'http://127.0.0.1:2' };

  test.each([{ CLOCK_START: '2026-01-31T12:00:00Z' }, { CLOCK_SPEED: '60' }])('is refused: %j', (time) => {
    const sentence = /^.+:\n {2}CLOCK_START and CLOCK_SPEED take nothing but real time with MARKET=live.+$/;
    expect(refusal({ ...LIVE, ...time })).toMatch(sentence);
    expect(refusal({ ...LIVE, ...time, KRAKEN_URL: REPLACED.KRAKEN_URL })).toMatch(sentence);
    expect(refusal({ ...LIVE, ...time, ...REPLACED, MARKET_SOURCES: '' })).toMatch(sentence);
  });

  test.each([{ CLOCK_START: '2026-01-31T12:00:00Z' }, { CLOCK_SPEED: '60' }])(
    'is taken where the address of every source is replaced: %j',
    (time) => {
      expect(readConfig({ ...LIVE, ...REPLACED, ...time }).market).toBe('live');
      expect(readConfig({ ...time, MARKET: 'simulated' }).market).toBe('simulated');
      expect(readConfig(time).market).toBeUndefined();
    },
  );

  test('may be written out as what it is: real', () => {
    expect(readConfig({ ...LIVE, CLOCK_SPEED: '1' }).clockSpeed).toBe(1);
  });
});

test('the settings are one frozen object, and other variables are none of them', () => {
  const config = readConfig({ PATH: '/bin', HOME: '/root', port: '1' });
  expect(Object.isFrozen(config)).toBe(true);
  expect(config).toEqual(readConfig({}));
});

test('the settings in effect are told without passwords and secrets', () => {
  const { inEffect } = readConfig({
    PORT: '4000',
    DATABASE_URL: 'postgresql://ann:open-sesame@db:5432/arena?password=open-sesame',
    REDIS_URL: 'rediss://:open-sesame@cache:6380/0?ca=/etc/ca.pem',
    KEY_PEPPER: 'open-sesame',
    ADMIN_TOKEN: 'open-sesame-open',
    CLOCK_START: '2026-01-31T12:00:00Z',
    MARKET_SOURCES: 'kraken,coinbase',
  });
  expect(inEffect).toEqual({
    PORT: '4000',
    HOST: '127.0.0.1',
    DATABASE_URL: 'postgresql://db:5432/arena',
    DATA_DIR: '.data',
    REDIS_URL: 'rediss://cache:6380/0',
    ROLE: 'all',
    MARKET_SOURCES: 'kraken,coinbase',
    CLOCK_START: '2026-01-31T12:00:00.000Z',
    CLOCK_SPEED: '1',
    RATE_LIMITS: 'on',
    LOCK_MINUTES: '0',
    PICKS: 'open',
    KEY_PEPPER: 'set',
    ADMIN_TOKEN: 'set',
    CORS_ORIGINS: '',
    LOG_LEVEL: 'info',
  });
});

function secretsWith(variables: Record<string, string>): Set<string> {
  return new Set(secretsOf(readConfig(variables)));
}

describe('among the secrets', () => {
  test('is nothing of settings that have none', () => {
    expect(secretsWith({})).toEqual(new Set());
    expect(secretsWith({ DATABASE_URL: 'postgresql://ann@db/arena', REDIS_URL: 'redis://cache:6379' })).toEqual(
      new Set(),
    );
  });

  test('are passwords of stores, as they are and as an address writes them', () => {
    expect(secretsWith({ DATABASE_URL: 'postgresql://ann:p%40ss@db:5432/arena' })).toEqual(new Set(['p%40ss', 'p@ss']));
    expect(secretsWith({ DATABASE_URL: 'postgresql:///arena?host=/run&password=hidden' })).toEqual(new Set(['hidden']));
    const replica = { DATABASE_URL: 'postgresql://db/arena', DATABASE_READ_URL: 'postgresql://ann:behind@db2/arena' };
    expect(secretsWith(replica)).toEqual(new Set(['behind']));
    expect(secretsWith({ REDIS_URL: 'redis://:cached@cache:6379' })).toEqual(new Set(['cached']));
  });

  test('are the pepper and the token', () => {
    expect(secretsWith({ KEY_PEPPER: 'pepper', ADMIN_TOKEN: 'token-of-operators' })).toEqual(
      new Set(['pepper', 'token-of-operators']),
    );
  });
});
