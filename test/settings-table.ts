import type { readConfig } from '../src/config.ts';

/** A setting of the contract's table, by the name that the service gives it inside. */
export interface Setting {
  readonly variable: string;
  readonly field: keyof ReturnType<typeof readConfig>;
  readonly unset: unknown;
  readonly accepted: readonly (readonly [text: string, value: unknown])[];
  readonly refused: readonly string[];
}

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const same = (text: string) => [text, text] as const;

/** A key for cosignatures, computed by hand: type 4, and 32 bytes of 5. */
const WITNESS = 'witness.example+008d5d73+BAUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUF';

/** What each setting takes and refuses. */
export const SETTINGS: readonly Setting[] = [
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
    variable: 'DATABASE_CONNECTIONS',
    field: 'databaseConnections',
    unset: 34,
    accepted: [
      ['12', 12],
      ['500', 500],
    ],
    refused: ['11', '501', '12.5', '-12', 'all'],
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
    variable: 'WEBHOOKS',
    field: 'webhooks',
    unset: 'off',
    accepted: ['off', 'public', 'any'].map(same),
    refused: ['on', 'yes', 'PUBLIC', 'http'],
  },
  {
    variable: 'LOG_WITNESSES',
    field: 'logWitnesses',
    unset: [],
    accepted: [
      [
        `${WITNESS}=https://witness.example/log/`,
        [{ verifier: { name: 'witness.example', publicKey: Buffer.alloc(32, 5) }, url: 'https://witness.example/log' }],
      ],
    ],
    refused: [
      'https://witness.example',
      WITNESS,
      `${WITNESS}=ftp://witness.example`,
      `${WITNESS}=https://user:word@witness.example`,
      `${WITNESS}=https://witness.example:65536`,
      `${WITNESS.replace('BAUF', 'AQUF')}=https://witness.example`,
      `${WITNESS.replace('witness', 'other')}=https://witness.example`,
      `${WITNESS}=https://a.example,${WITNESS}=https://b.example`,
      `${WITNESS}=https://a.example,`,
    ],
  },
  {
    variable: 'KEEP_MONTHS',
    field: 'keepMonths',
    unset: undefined,
    accepted: [
      ['2', 2],
      ['1200', 1200],
    ],
    refused: ['0', '1', '1201', '2.5', '-2', 'all'],
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
