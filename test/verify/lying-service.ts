import { createServer } from 'node:http';

import { type Listening, listening } from '../support/listening.ts';
import type { Seeded } from '../support/seeded.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** One change to one answer of a service. */
export interface Lie {
  /** The same for places that differ by their index in a list alone. */
  readonly name: string;
  readonly request: string;
  readonly body: Buffer;
}

/** Repeats a service's answers, one of them changed. */
export interface LyingService extends Listening {
  /** Answers with the lie from now on, and drops connections after so many requests. */
  serve(lie: Lie, requests: number): void;
  /** Requests since the last call. */
  takeRequests(): number;
  /** Lies about each value that was answered, at one of its places: every kind where `isWhole` holds for its name, else one. */
  lies(random: Seeded, isWhole: (name: string) => boolean): readonly Lie[];
}

/** A lie is one change of a JSON value; undefined takes it out. */
const CHANGES: readonly (readonly [string, (value: Json) => Json | undefined])[] = [
  ['absent', () => undefined],
  ['null', () => null],
  ['zero', (value) => (typeof value === 'number' ? 0 : '0')],
  ['negative', (value) => (typeof value === 'number' ? -value - 1 : '-1')],
  ['huge', (value) => (typeof value === 'number' ? 1e300 : '9'.repeat(300))],
  ['fraction', (value) => (typeof value === 'number' ? value + 0.5 : '0.5')],
  ['other text', (value) => (typeof value === 'string' ? value.split('').toReversed().join('') : 'x')],
  ['a second later', (value) => (typeof value === 'string' ? aSecondLater(value) : 'x')],
  ['empty', (value) => (Array.isArray(value) ? [] : typeof value === 'string' ? '' : {})],
  ['without its first', (value) => (Array.isArray(value) ? value.slice(1) : false)],
  ['with its first twice', (value) => (Array.isArray(value) ? [...value.slice(0, 1), ...value] : true)],
];

/** Of a time; other texts get longer. */
function aSecondLater(text: string): string {
  const [time = ''] = /\d\d:\d\d:\d\d/.exec(text) ?? [];
  const [hour = 0, minute = 0, second = 0] = time.split(':').map(Number);
  const later = new Date(Date.UTC(2026, 0, 1, hour, minute, second + 1)).toISOString();
  return time === '' ? `${text}x` : text.replace(time, later.slice(11, 19));
}

export async function lyingService(service: string): Promise<LyingService> {
  const answers = new Map<string, Answer>();
  let [requests, most] = [0, Infinity];
  let lie: Lie | null = null;
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => void pieces.push(piece));
    request.on('end', () => {
      requests += 1;
      const { url: path = '' } = request;
      const sent = Buffer.concat(pieces).toString();
      const answered = requests > most ? Promise.reject(new Error('Too many requests')) : answerTo(path, sent);
      answered
        .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body))
        .catch(() => response.destroy());
    });
  });
  return {
    ...(await listening(server)),
    serve(next, within) {
      [lie, most] = [next, within];
    },
    takeRequests() {
      const taken = requests;
      requests = 0;
      return taken;
    },
    lies(random, isWhole) {
      const places = [...answers].flatMap(([name, answer]) => placesOf(name, answer));
      return [...Map.groupBy(places, ({ shape }) => shape)].flatMap(([shape, same]) => {
        const all = liesAt(random.pick(same));
        return isWhole(shape) || all.length === 0 ? all : [random.pick(all)];
      });
    },
  };

  async function answerTo(path: string, sent: string): Promise<Answer> {
    const request = `${path} ${sent}`;
    const kept = answers.get(request);
    if (kept !== undefined) return lie?.request === request ? { ...kept, body: lie.body } : kept;
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(service + path, sent === '' ? {} : { method: 'POST', headers, body: sent });
    const type = answer.headers.get('content-type') ?? '';
    const read = { status: answer.status, type, body: Buffer.from(await answer.arrayBuffer()) };
    if (lie === null) answers.set(request, read);
    return read;
  }
}

interface Place {
  readonly shape: string;
  readonly request: string;
  readonly answer: Answer;
  readonly path: Path;
}

function placesOf(request: string, answer: Answer): Place[] {
  const kind = request.split(/[ ?]/, 1)[0]?.replace(/\d+/g, '#') ?? '';
  const paths = answer.type.includes('json') ? pathsOf(documentOf(answer)) : [[]];
  return paths.map((path) => {
    const names = path.map((step) => (typeof step === 'number' ? '#' : step));
    const shape = [kind, ...names.slice(-3)].join(' ');
    return { shape, request, answer, path };
  });
}

function liesAt({ shape, request, answer, path }: Place): Lie[] {
  if (!answer.type.includes('json')) {
    const cut = answer.body.subarray(0, answer.body.length / 2);
    const flipped = Buffer.from(answer.body.map((byte, index) => (index === 0 ? byte ^ 1 : byte)));
    const bodies = { cut, flipped, empty: Buffer.of() };
    const changed = Object.entries(bodies).filter(([, body]) => !body.equals(answer.body));
    return changed.map(([change, body]) => ({ name: `${shape}: ${change}`, request, body }));
  }
  return CHANGES.flatMap(([change, of]) => {
    const document = documentOf(answer);
    const body = textOf(answer, changedAt(document, path, of));
    const isTrue = body.equals(textOf(answer, document));
    return isTrue ? [] : [{ name: `${shape}: ${change}`, request, body }];
  });
}

function parsed(text: string): Json {
  return JSON.parse(text);
}

/** Lines of NDJSON are a list. */
function documentOf({ type, body }: Answer): Json {
  const text = body.toString();
  return isLines(type) ? text.trimEnd().split('\n').filter(Boolean).map(parsed) : parsed(text);
}

function textOf({ type }: Answer, document: Json | undefined): Buffer {
  const isList = isLines(type) && Array.isArray(document);
  const text = isList ? document.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(document);
  return Buffer.from(text ?? '');
}

function isLines(type: string): boolean {
  return type.includes('ndjson');
}

function pathsOf(value: Json): Path[] {
  const steps: readonly (readonly [string | number, Json])[] = Array.isArray(value)
    ? [...value.entries()]
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : [];
  return [[], ...steps.flatMap(([step, inner]) => pathsOf(inner).map((path) => [step, ...path]))];
}

function changedAt(value: Json, [step, ...rest]: Path, of: (value: Json) => Json | undefined): Json | undefined {
  if (step === undefined) return of(value);
  if (Array.isArray(value)) {
    const list: readonly Json[] = value;
    return list.flatMap((item, index) => (index === step ? (changedAt(item, rest, of) ?? []) : [item]));
  }
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(
    ([name, inner]) => [name, name === step ? changedAt(inner, rest, of) : inner] as const,
  );
  return Object.fromEntries(entries.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
