import { describe, expect, test } from '@jest/globals';

import { readConfig, secretsOf } from '../src/config.ts';
import { StartError } from '../src/rules/errors.ts';
import { SETTINGS } from './settings-table.ts';

/** Settings of several processes; test/backplane/redis/address.test.ts has every form of the first. */
const PROCESSES = [
  {
    variable: 'REDIS_URL',
    refused: ['localhost:6379', 'http://localhost:6379', 'redis://', 'redis+cluster://one,two'],
  },
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
  '$variable accepts "$text"',
  ({ variable, field, text, value }) => {
    expect(readConfig({ [variable]: text })[field]).toEqual(value);
  },
);

test.each([...SETTINGS, ...PROCESSES].flatMap((row) => row.refused.map((text) => ({ ...row, text }))))(
  '$variable refuses "$text" with its name and the accepted values',
  ({ variable, text }) => {
    expect(refusal({ [variable]: text })).toMatch(
      new RegExp(`^The service cannot start with these settings:\\n {2}${variable} must be \\S.{6,}$`),
    );
  },
);

test('REDIS_URL unset or empty means one process with every role', () => {
  expect(readConfig({})).toMatchObject({ redis: null, role: 'all' });
  expect(readConfig({ REDIS_URL: '', ROLE: '' })).toEqual(readConfig({}));
  expect(readConfig({ ROLE: 'all' })).toEqual(readConfig({}));
});

test.each(['all', 'api', 'worker'])('ROLE accepts "%s" with REDIS_URL', (role) => {
  const config = readConfig({ ROLE: role, REDIS_URL: 'redis://cache' });
  expect(config).toMatchObject({ role, redis: { host: 'cache', port: 6379 } });
});

test.each(['api', 'worker', 'feed'])('ROLE refuses "%s" while REDIS_URL is unset', (role) => {
  const sentence =
    'ROLE must be `all` while REDIS_URL is unset: `api`, `worker` and `feed` share their work through Redis';
  expect(refusal({ ROLE: role })).toBe(`The service cannot start with these settings:\n  ${sentence}`);
  expect(refusal({ ROLE: role, REDIS_URL: '' })).toContain(sentence);
});

test('a worker listens on any free port, since an api beside it has the default one', () => {
  const worker = { ROLE: 'worker', REDIS_URL: 'redis://cache' };
  expect(readConfig(worker).port).toBe(0);
  expect(readConfig({ ...worker, PORT: '3100' }).port).toBe(3100);
});

test('one message lists every bad variable', () => {
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

describe('DATABASE_READ_URL', () => {
  const DATABASE_URL = 'postgresql://db/arena';

  test('DATABASE_READ_URL is accepted beside DATABASE_URL', () => {
    const DATABASE_READ_URL = 'postgresql://ann@standby:5433/arena';
    expect(readConfig({ DATABASE_URL, DATABASE_READ_URL }).databaseReadUrl).toBe(DATABASE_READ_URL);
    expect(readConfig({ DATABASE_URL }).databaseReadUrl).toBeUndefined();
  });

  test('DATABASE_READ_URL is refused beside the embedded PostgreSQL, and if malformed', () => {
    expect(refusal({ DATABASE_READ_URL: 'postgresql://standby/arena' })).toContain(
      'DATABASE_READ_URL must be unset while DATABASE_URL is unset',
    );
    expect(refusal({ DATABASE_URL, DATABASE_READ_URL: 'standby:5433' })).toContain(
      'DATABASE_READ_URL must be a PostgreSQL address',
    );
  });
});

test('NODE_ENV=production requires MARKET, whatever else is wrong', () => {
  expect(refusal({ NODE_ENV: 'production' })).toContain('MARKET must be set when NODE_ENV is production');
  expect(refusal({ NODE_ENV: 'production', MARKET: '', PORT: 'x' })).toMatch(/PORT must be .+\n {2}MARKET must be set/);
  for (const market of ['simulated', 'live'])
    expect(readConfig({ NODE_ENV: 'production', MARKET: market }).market).toBe(market);
  expect(readConfig({ NODE_ENV: 'development' }).market).toBeUndefined();
});

describe('another time with live prices', () => {
  const LIVE = { MARKET: 'live', MARKET_SOURCES: 'coinbase,kraken' };
  const REPLACED = { COINBASE_URL: 'http://127.0.0.1:1', KRAKEN_URL: 'http://127.0.0.1:2' };

  test.each([{ CLOCK_START: '2026-01-31T12:00:00Z' }, { CLOCK_SPEED: '60' }])(
    'another time with live prices is refused: %j',
    (time) => {
      const sentence = /^.+:\n {2}CLOCK_START must be unset and CLOCK_SPEED 1 with MARKET=live.+$/;
      expect(refusal({ ...LIVE, ...time })).toMatch(sentence);
      expect(refusal({ ...LIVE, ...time, KRAKEN_URL: REPLACED.KRAKEN_URL })).toMatch(sentence);
      expect(refusal({ ...LIVE, ...time, ...REPLACED, MARKET_SOURCES: '' })).toMatch(sentence);
    },
  );

  test.each([{ CLOCK_START: '2026-01-31T12:00:00Z' }, { CLOCK_SPEED: '60' }])(
    'another time is accepted if every source’s address is replaced: %j',
    (time) => {
      expect(readConfig({ ...LIVE, ...REPLACED, ...time }).market).toBe('live');
      expect(readConfig({ ...time, MARKET: 'simulated' }).market).toBe('simulated');
      expect(readConfig(time).market).toBeUndefined();
    },
  );

  test('real time can be set explicitly', () => {
    expect(readConfig({ ...LIVE, CLOCK_SPEED: '1' }).clockSpeed).toBe(1);
  });
});

test('the settings are one frozen object without other variables', () => {
  const config = readConfig({ PATH: '/bin', HOME: '/root', port: '1' });
  expect(Object.isFrozen(config)).toBe(true);
  expect(config).toEqual(readConfig({}));
});

test('the printed settings have no passwords and secrets', () => {
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
    WEBHOOKS: 'off',
    KEY_PEPPER: 'set',
    ADMIN_TOKEN: 'set',
    LOG_WITNESSES: '',
    CORS_ORIGINS: '',
    LOG_LEVEL: 'info',
  });
});

function secretsWith(variables: Record<string, string>): Set<string> {
  return new Set(secretsOf(readConfig(variables)));
}

describe('secrets', () => {
  test('settings without secrets add none', () => {
    expect(secretsWith({})).toEqual(new Set());
    expect(secretsWith({ DATABASE_URL: 'postgresql://ann@db/arena', REDIS_URL: 'redis://cache:6379' })).toEqual(
      new Set(),
    );
  });

  test('secrets include passwords of stores, decoded and as written', () => {
    expect(secretsWith({ DATABASE_URL: 'postgresql://ann:p%40ss@db:5432/arena' })).toEqual(new Set(['p%40ss', 'p@ss']));
    expect(secretsWith({ DATABASE_URL: 'postgresql:///arena?host=/run&password=hidden' })).toEqual(new Set(['hidden']));
    const replica = { DATABASE_URL: 'postgresql://db/arena', DATABASE_READ_URL: 'postgresql://ann:behind@db2/arena' };
    expect(secretsWith(replica)).toEqual(new Set(['behind']));
    expect(secretsWith({ REDIS_URL: 'redis://:cached@cache:6379' })).toEqual(new Set(['cached']));
  });

  test('secrets include the pepper and the token', () => {
    expect(secretsWith({ KEY_PEPPER: 'pepper', ADMIN_TOKEN: 'token-of-operators' })).toEqual(
      new Set(['pepper', 'token-of-operators']),
    );
  });
});
