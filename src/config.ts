import { isIP } from 'node:net';

import { z } from 'zod';

/** A start that cannot go on because of a setting; the message is for the operator, as it is. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const wholeNumber = (least: number, most: number, takes: string) =>
  z
    .string()
    .regex(/^\d+$/, takes)
    .transform(Number)
    .refine((value) => value >= least && value <= most, takes);

const PORT = 'a port number from 0 to 65535';
const SPEED = 'a number above 0 and at most 100000: service seconds per real second';
const PROXIES =
  '`true`, `false`, a number of hops, or a list of addresses, networks such as 10.0.0.0/8, `loopback`, `linklocal`, `uniquelocal`';
const INSTANT = 'a UTC instant such as 2026-01-31T12:00:00Z';

/** Every setting, one row each: what it takes, and its default. The names are the contract's. */
const SETTINGS = {
  PORT: wholeNumber(0, 65_535, PORT).default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'a PostgreSQL address such as postgresql://user:password@host:5432/database')
    .optional(),
  DATA_DIR: z.string().min(1).default('.data'),
  REDIS_URL: z.never({ error: 'nothing in this version, which runs as one process' }).optional(),
  ROLE: z.literal('all', { error: '`all` in this version, which runs as one process' }).default('all'),
  MARKET: z
    .string()
    .regex(/^(simulated|replay:.+)$/, '`simulated` or `replay:<folder>` (live exchanges are not in this version yet)')
    .optional(),
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
    bad.push('  MARKET must be set when NODE_ENV is production: `simulated` or `replay:<folder>`');
  }
  if (!parsed.success || bad.length > 0) {
    throw new ConfigError(`The service cannot start with these settings:\n${[...new Set(bad)].join('\n')}`);
  }
  const { data } = parsed;
  return Object.freeze({
    port: data.PORT,
    host: data.HOST,
    databaseUrl: data.DATABASE_URL,
    dataDir: data.DATA_DIR,
    market: data.MARKET ?? 'simulated',
    marketChosen: data.MARKET !== undefined,
    clockStart: data.CLOCK_START,
    clockSpeed: data.CLOCK_SPEED,
    rateLimits: data.RATE_LIMITS === 'on',
    lockMinutes: data.LOCK_MINUTES,
    trustProxy: trustProxy(data.TRUST_PROXY),
    keyPepper: data.KEY_PEPPER,
    logLevel: data.LOG_LEVEL,
  });
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
