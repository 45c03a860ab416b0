import { gzipSync } from 'node:zlib';

import type { Fault, PlayedReply } from './played-exchange.ts';

/** What is put in place of parts of an honest reply; headers come beside its own, or in their place. */
export interface Lie {
  readonly status?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: (text: string) => string | Uint8Array;
}

/** Texts that are no figure, no time and no name, or ones that nobody can store. */
export const NASTY_TEXTS: readonly string[] = [
  ['', ' ', '0', '-0', '00', '-1', '+1', '1.', '.5', '1,5', '1e400', '1e-400', '0x10', 'NaN', 'Infinity', '-Infinity'],
  [
    '9'.repeat(40),
    '9'.repeat(41),
    '9'.repeat(400),
    `0.${'0'.repeat(37)}1`,
    `0.${'3'.repeat(5000)}`,
    '1'.repeat(50_000),
  ],
  [
    '\0',
    '1\0',
    '\u001b[2J',
    '\u202e1',
    '\ud800',
    '\udfff1',
    '\u{1f4a9}',
    '\u0661',
    '\uff11',
    "'; drop table rounds; --",
  ],
  ['null', 'true', '__proto__', 'constructor', '%s%n', '2026-03-02', '20000-01-01', '+275760-09-13T00:00:00.001Z'],
].flat();

/** The same as they stand in JSON, and what else may stand there. */
export const NASTY_JSON: readonly string[] = [
  NASTY_TEXTS.map((text) => JSON.stringify(text)),
  ['null', 'true', '0', '-0', '-1', '1e400', '1e-400', '-1e308', '0.1e1', '9'.repeat(40), '9'.repeat(400)],
  ['[]', '{}', '[[]]', '[null]', '{"__proto__":{"length":1}}', '"\\u0000"', '"\\ud800"', '999999999999999', '1e3'],
].flat();

const BAD_DATES = ['Sat, 01 Jan 20000 00:00:00 GMT', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z', '0', 'now'];
const WAITS = ['9'.repeat(300), '-1', '1e9', '0x10', 'Sat, 01 Jan 20000 00:00:00 GMT', '\u00ff', '', '999999999'];
const ENCODINGS = ['gzip', 'deflate', 'br', 'zstd', 'identity', 'gzip, gzip, gzip', 'nonsense'];
const TYPES = [
  'text/html',
  'application/json; charset=utf-16',
  'application/x+json',
  `application/json;${'x'.repeat(9000)}`,
  '',
];
const STATUSES = [
  '000',
  '100 Continue',
  '101 Switching',
  '199',
  '200',
  '204',
  '206',
  '299',
  '300',
  '304',
  '307',
  '400',
];
const MORE_STATUSES = ['401', '403', '404', '408', '418', '429', '451', '500', '502', '503', '599', '999', 'abc', ''];
const LENGTHS = ['0', '1', '-1', '999999999', 'many', '18446744073709551616'];

const PACKED = gzipSync(Buffer.alloc(2 ** 24));

/** One lie after the other in each part of a reply. */
export const LIES: readonly (readonly [name: string, lie: Lie])[] = [
  ...BAD_DATES.map((date) => [`Date: ${date}`, { headers: { date } }] as const),
  ...WAITS.map(
    (wait) => [`Retry-After: ${wait.slice(0, 30)}`, { status: '429', headers: { 'retry-after': wait } }] as const,
  ),
  ...ENCODINGS.map(
    (encoding) => [`Content-Encoding: ${encoding}`, { headers: { 'content-encoding': encoding } }] as const,
  ),
  ...TYPES.map((type) => [`Content-Type: ${type.slice(0, 40)}`, { headers: { 'content-type': type } }] as const),
  ...[...STATUSES, ...MORE_STATUSES].map((status) => [`status ${status}`, { status }] as const),
  ...LENGTHS.map((length) => [`Content-Length: ${length}`, { headers: { 'content-length': length } }] as const),
  ['chunks that are none', { headers: { 'transfer-encoding': 'chunked' } }],
  ['a header of 100 KB', { headers: { 'x-long': 'x'.repeat(100_000) } }],
  ['a header with a NUL', { headers: { 'x-nul': 'a\0b' } }],
  ['a body that unpacks to 16 MB', { headers: { 'content-encoding': 'gzip' }, body: () => PACKED }],
  [
    'half of a packed body',
    { headers: { 'content-encoding': 'gzip' }, body: (text) => gzipSync(text).subarray(0, 40) },
  ],
  ['no byte', { body: () => '' }],
  ['a byte order mark', { body: (text) => `\ufeff${text}` }],
  ['UTF-16', { body: (text) => Buffer.from(text, 'utf16le') }],
  ['bytes that are no UTF-8', { body: (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]) }],
  ['lists within each other, 250,000 deep', { body: () => '['.repeat(250_000) }],
  ['80,000 empty candles', { body: () => `[${'[],'.repeat(80_000)}[]]` }],
  ['the body twice', { body: (text) => text + text }],
  ['half of the body', { body: (text) => text.slice(0, text.length / 2) }],
  ...NASTY_JSON.map((json) => [`a body ${json.slice(0, 30)}`, { body: () => json }] as const),
  ...NASTY_JSON.map(
    (json) => [`every value ${json.slice(0, 30)}`, { body: (text: string) => replaced(text, json) }] as const,
  ),
];

const VALUE = /-?\d+(?:\.\d+)?|"[^"]*"(?!:)/g;

/** The JSON with another value in place of each, or of those at the places that are chosen, counted from both ends. */
export function replaced(text: string, json: string, chosen?: ReadonlySet<number>): string {
  const count = text.match(VALUE)?.length ?? 0;
  let place = -1;
  return text.replaceAll(VALUE, (value) => {
    place++;
    return chosen === undefined || chosen.has(place) || chosen.has(place - count) ? json : value;
  });
}

/** The bytes of the reply with the lie in it. */
export function wired({ status, headers, text }: PlayedReply, lie: Lie): Uint8Array {
  const body = Buffer.from(lie.body?.(text) ?? text);
  const all = { ...headers, 'content-length': String(body.length), ...lie.headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${lie.status ?? status}`, ...lines, '', ''].join('\r\n');
  return Buffer.concat([Buffer.from(head, 'latin1'), body]);
}

/** Lies with every answer, and never twice in a row in the same way. */
export function lyingInEveryWay(): Fault {
  const bodies = [...BODY_LIES];
  let lies = 0;
  return { raw: (reply) => wired(reply, bodies[lies++ % bodies.length] ?? {}) };
}

/** Those that leave no candle to count. */
const BODY_LIES: readonly Lie[] = [
  ...BAD_DATES.map((date) => ({ headers: { date }, body: () => '[[]]' })),
  ...NASTY_JSON.map((json) => ({ body: (text: string) => replaced(text, json) })),
  ...['204', '304', '404', '500', 'abc'].map((status) => ({ status })),
  ...ENCODINGS.slice(0, 3).map((encoding) => ({ headers: { 'content-encoding': encoding } })),
];
