import { expect, test } from '@jest/globals';

import { ConfigError, readConfig } from '../src/config.ts';

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
    unset: 'simulated',
    accepted: ['simulated', 'replay:/srv/candles', 'replay:a folder'].map(same),
    refused: ['live', 'replay', 'replay:', 'Simulated', 'kraken'],
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
  { variable: 'LOG_LEVEL', field: 'logLevel', unset: 'info', accepted: LEVELS.map(same), refused: ['loud', 'WARN'] },
];

/** Settings that have one value in this version, which runs as one process: nothing of it is kept. */
const ONE_PROCESS = [
  { variable: 'REDIS_URL', refused: ['redis://localhost:6379'], accepted: [] },
  { variable: 'ROLE', refused: ['api', 'worker', 'ALL'], accepted: ['all'] },
];

function refusal(variables: Record<string, string>): string {
  try {
    readConfig(variables);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
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

test.each([...SETTINGS, ...ONE_PROCESS].flatMap((row) => row.refused.map((text) => ({ ...row, text }))))(
  '$variable refuses "$text", naming itself and what it takes',
  ({ variable, text }) => {
    expect(refusal({ [variable]: text })).toMatch(
      new RegExp(`^The service cannot start with these settings:\\n {2}${variable} takes \\S.{6,}$`),
    );
  },
);

test.each(ONE_PROCESS)('$variable may stand at what it is, or be empty', ({ variable, accepted }) => {
  for (const text of ['', ...accepted]) expect(readConfig({ [variable]: text })).toEqual(readConfig({}));
});

test('one message names every bad variable', () => {
  const bad = Object.fromEntries(
    [...SETTINGS, ...ONE_PROCESS].flatMap(({ variable, refused: [text] }) => (text ? [[variable, text]] : [])),
  );
  const [heading, ...lines] = refusal({ ...bad, HOST: '::1' }).split('\n');
  expect(heading).toBe('The service cannot start with these settings:');
  expect(new Set(lines.map((line) => line.trim().split(' ')[0]))).toEqual(new Set(Object.keys(bad)));
  expect(lines).toHaveLength(Object.keys(bad).length);
});

test('a refusal repeats no value, since some are secrets', () => {
  const secrets = {
    DATABASE_URL: 'mysql://ann:open-sesame@db/arena',
    REDIS_URL: 'redis://:open-sesame@cache',
    KEY_PEPPER: 'open-sesame',
    ADMIN_TOKEN: 'open-sesame',
    PORT: 'open-sesame',
    TRUST_PROXY: 'open-sesame',
  };
  expect(refusal(secrets)).not.toContain('sesame');
});

test('in production MARKET must be set, whatever else is wrong', () => {
  expect(refusal({ NODE_ENV: 'production' })).toContain('MARKET must be set when NODE_ENV is production');
  expect(refusal({ NODE_ENV: 'production', MARKET: '', PORT: 'x' })).toMatch(/PORT takes .+\n {2}MARKET must be set/);
  expect(readConfig({ NODE_ENV: 'production', MARKET: 'simulated' }).market).toBe('simulated');
  expect(readConfig({ NODE_ENV: 'development' }).market).toBe('simulated');
});

test('tells a chosen market from the one that nobody chose', () => {
  expect(readConfig({}).marketChosen).toBe(false);
  expect(readConfig({ MARKET: 'simulated' }).marketChosen).toBe(true);
});

test('the settings are one frozen object, and other variables are none of them', () => {
  const config = readConfig({ PATH: '/bin', HOME: '/root', port: '1' });
  expect(Object.isFrozen(config)).toBe(true);
  expect(config).toEqual(readConfig({}));
});
