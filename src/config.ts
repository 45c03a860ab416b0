import proxyAddress from 'proxy-addr';
import { z } from 'zod';

import { readRedisUrl, REDIS_URL_FORM } from './backplane/redis/address.ts';
import { ALONE_CONNECTIONS, USUAL_CONNECTIONS } from './database/connection-shares.ts';
import { SOURCE_NAMES, type SourceName } from './market/live/exchanges/exchange.ts';
import { StartError } from './rules/errors.ts';
import { PICKS } from './rules/predictions.ts';
import { WEBHOOK_REACHES } from './rules/webhooks.ts';
import { parsedWitnesses } from './transparency/notes.ts';

/** `feed` has no database: it serves what the others copy to Redis. */
export const ROLES = {
  all: { serves: true, works: true },
  api: { serves: true, works: false },
  worker: { serves: false, works: true },
  feed: null,
} as const satisfies Record<string, { readonly serves: boolean; readonly works: boolean } | null>;

const DEFAULT_PORT = 3000;
const ANY_PORT = 0;
const PORT = 'a port number from 0 to 65535';
const SPEED = 'a number above 0 and at most 100000: service seconds per real second';
const PROXIES =
  '`true`, `false`, a number of hops, or a list of addresses, networks such as 10.0.0.0/8, `loopback`, `linklocal`, `uniquelocal`';
const MARKETS = '`live`, `simulated` or `replay:<folder>`';
const SOURCES = `one or more of ${SOURCE_NAMES.join(', ')}, each once, with commas and without spaces`;
const ADDRESS = 'an address that begins with http:// or https://';
const SOURCE_URLS = SOURCE_NAMES.map((name) => `${name.toUpperCase()}_URL`).join(', ');
const OTHER_TIME = `  CLOCK_START must be unset and CLOCK_SPEED 1 with MARKET=live, unless the address of every source is replaced: ${SOURCE_URLS}`;
const ORIGINS =
  'origins such as https://arena.example or http://localhost:5173, with commas and without spaces, paths or a slash at the end';
const WITNESSES =
  'cosignature keys and addresses such as witness.example+0a1b2c3d+BA...=https://witness.example, each key once, with commas and without spaces';
const DATABASE = 'a PostgreSQL address such as postgresql://user:password@host:5432/database';
const CONNECTIONS = `a whole number from ${USUAL_CONNECTIONS} to 500: connections to the database`;
const TOKEN = 'at least 16 characters (letters, digits and signs) without spaces';
const INSTANT = 'a UTC instant such as 2026-01-31T12:00:00Z';
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

const textLike = (form: RegExp, takes: string) => z.string().regex(form, takes);
const wholeNumber = (min: number, max: number, takes: string) =>
  textLike(/^\d+$/, takes)
    .transform(Number)
    .refine((value) => value >= min && value <= max, takes);
const flag = (truthy: string[], falsy: string[], takes: string) =>
  z.stringbool({ truthy, falsy, case: 'sensitive', error: takes });
const list = () => z.string().transform((text) => (text === '' ? [] : text.split(',')));
const sourceNames = z
  .array(z.enum(SOURCE_NAMES, SOURCES))
  .refine((names) => new Set(names).size === names.length, SOURCES);
const httpAddress = () => z.url({ protocol: /^https?$/, error: ADDRESS }).optional();

const VARIABLES = z.registry<{ readonly variable: string; readonly unset: string | undefined }>();

function setting<Schema extends z.ZodType>(variable: string, takes: Schema, unset?: string): Schema {
  VARIABLES.add(takes, { variable, unset });
  return takes;
}

/** One row a setting: variable, accepted values, default. The variables are the contract's. */
const SETTINGS = z.object({
  /** A worker takes any free port, since it often runs beside an api. */
  port: setting('PORT', wholeNumber(0, 65_535, PORT).optional()),
  host: setting('HOST', z.string(), '127.0.0.1'),
  databaseUrl: setting('DATABASE_URL', textLike(/^postgres(ql)?:\/\//, DATABASE).optional()),
  databaseReadUrl: setting('DATABASE_READ_URL', textLike(/^postgres(ql)?:\/\//, DATABASE).optional()),
  /** Maximum connections to the primary. The default is higher for a process alone. */
  databaseConnections: setting('DATABASE_CONNECTIONS', wholeNumber(USUAL_CONNECTIONS, 500, CONNECTIONS).optional()),
  dataDir: setting('DATA_DIR', z.string(), '.data'),
  redis: setting('REDIS_URL', z.string().transform(parsedBy(readRedisUrl, REDIS_URL_FORM)).nullable().default(null)),
  role: setting('ROLE', z.enum(['all', 'api', 'worker', 'feed'], { error: '`all`, `api`, `worker` or `feed`' }), 'all'),
  market: setting('MARKET', textLike(/^(live|simulated|replay:.+)$/, MARKETS).optional()),
  marketSources: setting('MARKET_SOURCES', list().pipe(sourceNames), SOURCE_NAMES.join(',')),
  coinbaseUrl: setting('COINBASE_URL', httpAddress()),
  krakenUrl: setting('KRAKEN_URL', httpAddress()),
  binanceUrl: setting('BINANCE_URL', httpAddress()),
  marketSwitch: setting('MARKET_SWITCH', flag(['yes'], [], '`yes` or unset').default(false)),
  clockStart: setting(
    'CLOCK_START',
    z.iso
      .datetime({ error: INSTANT })
      .transform((text) => new Date(text))
      .optional(),
  ),
  clockSpeed: setting(
    'CLOCK_SPEED',
    z
      .string()
      .transform(Number)
      .refine((value) => value > 0 && value <= 100_000, SPEED),
    '1',
  ),
  rateLimits: setting('RATE_LIMITS', flag(['on'], ['off'], '`on` or `off`'), 'on'),
  lockMinutes: setting('LOCK_MINUTES', wholeNumber(0, 59, 'whole minutes from 0 to 59'), '0'),
  /** Unset: all. The longest window of the boards is 30 days. */
  keepMonths: setting('KEEP_MONTHS', wholeNumber(2, 1200, 'a whole number of months from 2 to 1200').optional()),
  picks: setting('PICKS', z.enum(PICKS, { error: '`open` or `sealed`' }), 'open'),
  webhooks: setting('WEBHOOKS', z.enum(WEBHOOK_REACHES, { error: '`off`, `public` or `any`' }), 'off'),
  logWitnesses: setting('LOG_WITNESSES', list().transform(parsedBy(parsedWitnesses, WITNESSES)), ''),
  trustProxy: setting('TRUST_PROXY', z.string().transform(parsedBy(trustProxy, PROXIES)).default(false)),
  corsOrigins: setting(
    'CORS_ORIGINS',
    list().refine((origins) => origins.every(isOrigin), ORIGINS),
    '',
  ),
  keyPepper: setting('KEY_PEPPER', z.string().optional()),
  adminToken: setting('ADMIN_TOKEN', textLike(/^[\x21-\x7e]{16,}$/, TOKEN).optional()),
  logLevel: setting('LOG_LEVEL', z.enum(LEVELS, { error: `one of ${LEVELS.join(', ')}` }), 'info'),
  logFormat: setting('LOG_FORMAT', z.enum(['json', 'pretty'], { error: '`json` or `pretty`' }).optional()),
});

type Settings = z.output<typeof SETTINGS>;

export interface Config extends Readonly<Settings> {
  readonly port: number;
  readonly databaseConnections: number;
  readonly sourceUrls: Readonly<Record<SourceName, string | undefined>>;
  /** For the log: settings with a value; secrets only show that they are set. */
  readonly inEffect: Readonly<Record<string, string>>;
}

const ROWS = Object.entries(SETTINGS.shape).map(([name, takes]) => ({ name, ...rowOf(takes) }));

export const SETTING_NAMES: readonly string[] = ROWS.map(({ variable }) => variable);

/** Empty variables count as unset. The `StartError` names every bad variable and repeats no value, since some are secrets. */
export function readConfig(variables: Readonly<Record<string, string | undefined>>): Config {
  const texts = new Map(ROWS.map(({ name, variable, unset }) => [name, variables[variable] || unset]));
  const parsed = SETTINGS.safeParse(Object.fromEntries(texts));
  const bad = (parsed.error?.issues ?? []).map(
    ({ path: [name], message }) =>
      `  ${ROWS.find((row) => row.name === name)?.variable ?? String(name)} must be ${message}`,
  );
  const isFeed = variables['ROLE'] === 'feed';
  if (variables['NODE_ENV'] === 'production' && !variables['MARKET'] && !isFeed) {
    bad.push('  MARKET must be set when NODE_ENV is production: `live`, `simulated` or `replay:<folder>`');
  }
  if (!variables['REDIS_URL'] && (isFeed || variables['ROLE'] === 'api' || variables['ROLE'] === 'worker')) {
    bad.push(
      '  ROLE must be `all` while REDIS_URL is unset: `api`, `worker` and `feed` share their work through Redis',
    );
  }
  if (variables['DATABASE_READ_URL'] && !variables['DATABASE_URL']) {
    bad.push('  DATABASE_READ_URL must be unset while DATABASE_URL is unset: the embedded PostgreSQL has no standby');
  }
  if (parsed.success && isLiveInAnotherTime(parsed.data)) bad.push(OTHER_TIME);
  if (!parsed.success || bad.length > 0) {
    throw new StartError(`The service cannot start with these settings:\n${[...new Set(bad)].join('\n')}`);
  }
  const { data } = parsed;
  return Object.freeze({
    ...data,
    port: data.port ?? (data.role === 'worker' ? ANY_PORT : DEFAULT_PORT),
    databaseConnections: data.databaseConnections ?? (data.redis === null ? ALONE_CONNECTIONS : USUAL_CONNECTIONS),
    sourceUrls: sourceUrls(data),
    inEffect: settingTexts(texts, data.clockStart),
  });
}

function rowOf(takes: z.ZodType) {
  const row = VARIABLES.get(takes);
  if (row === undefined) throw new Error('Every row of SETTINGS must name its variable');
  return row;
}

function settingTexts(texts: ReadonlyMap<string, string | undefined>, clockStart: Date | undefined) {
  const rows = ROWS.flatMap(({ name, variable }) => {
    const text = texts.get(name);
    return text === undefined ? [] : [[variable, shownText(variable, text)] as const];
  });
  return { ...Object.fromEntries(rows), ...(clockStart && { CLOCK_START: clockStart.toISOString() }) };
}

function shownText(variable: string, text: string): string {
  if (/PEPPER|TOKEN/.test(variable)) return 'set';
  // Accounts are before the host, and passwords also in parameters.
  return variable.endsWith('_URL') ? text.replace(/\/\/[^/]*@/, '//').replace(/\?.*$/, '') : text;
}

function sourceUrls({ coinbaseUrl, krakenUrl, binanceUrl }: Settings): Config['sourceUrls'] {
  return { coinbase: coinbaseUrl, kraken: krakenUrl, binance: binanceUrl };
}

/** Real exchanges have prices of real time alone; simulated ones may follow any clock. */
function isLiveInAnotherTime(data: Settings): boolean {
  const isReal = data.clockStart === undefined && data.clockSpeed === 1;
  return data.market === 'live' && !isReal && data.marketSources.some((name) => sourceUrls(data)[name] === undefined);
}

/** Other spellings would never equal a browser's `Origin`. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
}

/** A transform by a parser that returns null for what the setting refuses. */
function parsedBy<Given, Parsed>(parse: (given: Given) => Parsed | null, takes: string) {
  return (given: Given, context: z.RefinementCtx): Parsed => {
    const parsed = parse(given);
    if (parsed === null) context.addIssue(takes);
    return parsed ?? z.NEVER;
  };
}

function trustProxy(text: string): boolean | number | string | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^\d+$/.test(text)) return Number(text);
  try {
    proxyAddress.compile(text.split(',').map((part) => part.trim()));
    return text;
  } catch {
    return null;
  }
}

/** Secrets in plain and in percent-encoded form. */
export function secretsOf({ adminToken, keyPepper, databaseUrl, databaseReadUrl, redis }: Config): readonly string[] {
  return [adminToken, keyPepper, ...passwordsIn(databaseUrl), ...passwordsIn(databaseReadUrl), redis?.password].filter(
    (secret) => secret !== undefined,
  );
}

/** PostgreSQL accepts a password before the host or as a parameter. */
function passwordsIn(address: string | undefined): string[] {
  const written = [/^\w+:\/\/[^:@/]*:([^@]*)@/, /[?&](?:ssl)?password=([^&]*)/].flatMap(
    (pattern) => pattern.exec(address ?? '')?.[1] ?? [],
  );
  return written.flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
