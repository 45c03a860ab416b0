import { isIP } from 'node:net';

import { z } from 'zod';

import { SOURCE_NAMES, type SourceName } from './market/exchanges/exchange.ts';

import { readRedisUrl, REDIS_URL_FORMS } from './backplane/redis-address.ts';

/** A start that cannot go on because of a setting; the message is for the operator, as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Ends the start with a sentence for the operator. */
export function refuse(what: string, cause: unknown): never {
  throw new ConfigError(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
}

/** The code that the system or PostgreSQL gave an error; empty when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

const wholeNumber = (least: number, most: number, takes: string) =>
  z
    .string()
    .regex(/^\d+$/, takes)
    .transform(Number)
    .refine((value) => value >= least && value <= most, takes);

const USUAL_PORT = 3000;
const ANY_PORT = 0;
const PORT = 'a port number from 0 to 65535';
const SPEED = 'a number above 0 and at most 100000: service seconds per real second';
const PROXIES =
  '`true`, `false`, a number of hops, or a list of addresses, networks such as 10.0.0.0/8, `loopback`, `linklocal`, `uniquelocal`';
const MARKETS = '`live`, `simulated` or `replay:<folder>`';
const SOURCES = `one or more of ${SOURCE_NAMES.join(', ')}, each once, with commas and without spaces`;
const ADDRESS = 'an address that begins with http:// or https://';
const OTHER_TIME =
  '  CLOCK_START and CLOCK_SPEED take nothing but real time with MARKET=live, unless the address of every source is replaced: COINBASE_URL, KRAKEN_URL, BINANCE_URL';
const INSTANT = 'a UTC instant such as 2026-01-31T12:00:00Z';

/** Every setting, one row each: what it takes, and its default. The names are the contract's. */
const SETTINGS = {
  PORT: wholeNumber(0, 65_535, PORT).optional(),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'a PostgreSQL address such as postgresql://user:password@host:5432/database')
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  REDIS_URL: z
    .string()
    .refine((url) => readRedisUrl(url) !== null, REDIS_URL_FORMS)
    .optional(),
  ROLE: z.enum(['all', 'api', 'worker'], { error: '`all`, `api` or `worker`' }).default('all'),
  MARKET: z
    .string()
    .regex(/^(live|simulated|replay:.+)$/, MARKETS)
    .optional(),
  MARKET_SOURCES: z
    .string()
    .refine(isListOfSources, SOURCES)
    .transform((text) => text.split(',').filter(isSourceName))
    .default([...SOURCE_NAMES]),
  COINBASE_URL: z.url({ protocol: /^https?$/, error: ADDRESS }).optional(),
  KRAKEN_URL: z.url({ protocol: /^https?$/, error: ADDRESS }).optional(),
  BINANCE_URL: z.url({ protocol: /^https?$/, error: ADDRESS }).optional(),
  MARKET_SWITCH: z.literal('yes', { error: '`yes`, or is left unset' }).optional(),
  CLOCK_START: z.iso
    .datetime({ error: INSTANT })
    .transform((text) => new Date(text))
    .optional(),
  CLOCK_SPEED: z
    .string()
    .transform(Number)
    .refine((value) => value > 0 && value <= 100_000, SPEED)
    .default(1),
  RATE_LIMITS: z.enum(['on', 'off'], { error: '`on` or `off`' }).default('on'),
  LOCK_MINUTES: wholeNumber(0, 59, 'whole minutes from 0 to 59').default(0),
  TRUST_PROXY: z.string().refine(isTrustProxy, PROXIES).optional(),
  KEY_PEPPER: z.string().min(1).optional(),
  ADMIN_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'at least 16 characters out of letters, digits and signs, without spaces')
    .optional(),
  LOG_LEVEL: z
    .enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
      error: 'one of fatal, error, warn, info, debug, trace, silent',
    })
    .default('info'),
};

const environment = z.object(SETTINGS);

export type Config = Readonly<ReturnType<typeof readConfig>>;

/**
 * The environment as one frozen object. An empty variable counts as unset.
 * Throws `ConfigError` with one message that names every bad variable and what it takes; values are not repeated,
 * since some are secrets.
 */
export function readConfig(variables: Readonly<Record<string, string | undefined>>) {
  const known = Object.keys(SETTINGS).flatMap((name) => (variables[name] ? [[name, variables[name]]] : []));
  const parsed = environment.safeParse(Object.fromEntries(known));
  const bad = (parsed.error?.issues ?? []).map((issue) => `  ${issue.path.join('.')} takes ${issue.message}`);
  if (variables['NODE_ENV'] === 'production' && !variables['MARKET']) {
    bad.push('  MARKET must be set when NODE_ENV is production: `live`, `simulated` or `replay:<folder>`');
  }
  if (!variables['REDIS_URL'] && (variables['ROLE'] === 'api' || variables['ROLE'] === 'worker')) {
    bad.push('  ROLE takes `all` while REDIS_URL is unset: `api` and `worker` share their work through Redis');
  }
  if (parsed.success && isLiveInAnotherTime(parsed.data)) bad.push(OTHER_TIME);
  if (!parsed.success || bad.length > 0) {
    throw new ConfigError(`The service cannot start with these settings:\n${[...new Set(bad)].join('\n')}`);
  }
  const { data } = parsed;
  return Object.freeze({
    // A worker often stands beside an api, whose port is the usual one.
    port: data.PORT ?? (data.ROLE === 'worker' ? ANY_PORT : USUAL_PORT),
    host: data.HOST,
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    redis: data.REDIS_URL === undefined ? null : readRedisUrl(data.REDIS_URL),
    role: data.ROLE,
    /** Undefined: the database and the exchanges choose. */
    market: data.MARKET,
    marketSources: data.MARKET_SOURCES,
    /** Base addresses that replace the exchanges' own. */
    sourceUrls: sourceUrls(data),
    marketSwitch: data.MARKET_SWITCH === 'yes',
    clockStart: data.CLOCK_START,
    clockSpeed: data.CLOCK_SPEED,
    rateLimits: data.RATE_LIMITS === 'on',
    lockMinutes: data.LOCK_MINUTES,
    trustProxy: trustProxy(data.TRUST_PROXY),
    keyPepper: data.KEY_PEPPER,
    adminToken: data.ADMIN_TOKEN,
    logLevel: data.LOG_LEVEL,
  });
}

function sourceUrls(data: z.infer<typeof environment>): Readonly<Record<SourceName, string | undefined>> {
  return { coinbase: data.COINBASE_URL, kraken: data.KRAKEN_URL, binance: data.BINANCE_URL };
}

function isListOfSources(text: string): boolean {
  const names = text.split(',');
  return names.every(isSourceName) && new Set(names).size === names.length;
}

function isSourceName(name: string): name is SourceName {
  return SOURCE_NAMES.some((known) => known === name);
}

/** Real exchanges have prices of real time alone; those that are played elsewhere may follow any clock. */
function isLiveInAnotherTime(data: z.infer<typeof environment>): boolean {
  const isReal = data.CLOCK_START === undefined && data.CLOCK_SPEED === 1;
  return data.MARKET === 'live' && !isReal && data.MARKET_SOURCES.some((name) => sourceUrls(data)[name] === undefined);
}

/** Whether Express can read it; it would throw at the start otherwise. */
function isTrustProxy(text: string): boolean {
  return /^(true|false|\d+)$/.test(text) || text.split(',').every((part) => isAddressOrNetwork(part.trim()));
}

function isAddressOrNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', bits, ...more] = text.split('/');
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (bits === undefined) return longest > 0;
  return more.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest;
}

/** Express's `trust proxy` takes a boolean, a count of hops or a list of addresses. */
function trustProxy(text: string | undefined): boolean | number | string {
  if (text === undefined || text === 'false') return false;
  if (text === 'true') return true;
  return /^\d+$/.test(text) ? Number(text) : text;
}
