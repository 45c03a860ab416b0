import type { IncomingMessage, ServerResponse } from 'node:http';
import { AsyncLocalStorage } from 'node:async_hooks';

import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { Counter, Histogram, type Registry } from 'prom-client';

import { steadyMs } from '../clock.ts';
import { SECOND } from '../rules/hours.ts';

interface RequestWatchOptions {
  readonly randomBytes: (count: number) => Buffer;
  /** Where requests are counted and timed. */
  readonly registry: Registry;
  readonly log: Logger;
}

/** A request that is answered, or given up (status 499). */
interface Noted {
  readonly id: string;
  readonly method: string;
  readonly url: string;
  /** The route's pattern, never what a caller wrote. */
  readonly route: string;
  readonly status: number;
  /** By the steady clock. */
  readonly began: number;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Watches requests: each has an id, is measured, and has a line in the log. */
export interface RequestWatch {
  /** The id of a request: the answer carries it, and whatever is logged meanwhile. */
  readonly idOf: (request: IncomingMessage) => string;
  /**
   * Measures a request whose answer was just written, once it has been taken, and logs its line: at `info` when it failed for
   * our own fault or was slow, else at `debug`.
   */
  readonly noteWritten: (exchange: Exchange, noted: Omit<Noted, 'method' | 'url'>) => void;
  /** Does both for every request that comes to a router. */
  readonly handler: RequestHandler;
}

/** An answer that takes this long is worth a line. */
const SLOW_MS = SECOND;
const LONGEST_PATH = 200;
/** Requests that no route took, and files that a route serves from a folder. */
const NO_ROUTE = 'none';
const ENDLESS = new Set(['/api/events']);

export function requestWatch({ randomBytes, registry, log }: RequestWatchOptions): RequestWatch {
  const idFor = requestIds(randomBytes);
  const measure = requestMetrics(registry);
  const idOf = ({ headers }: IncomingMessage): string => {
    const offered = headers['x-request-id'];
    return idFor(typeof offered === 'string' ? offered : undefined);
  };
  const note = (noted: Noted): void => {
    const { id, method, url, route, status, began } = noted;
    const ms = steadyMs() - began;
    const endless = ENDLESS.has(route);
    measure(noted, endless ? null : ms / SECOND);
    const level = status >= 500 || (ms >= SLOW_MS && !endless) ? 'info' : 'debug';
    if (!log.isLevelEnabled(level)) return;
    log[level]({ requestId: id, method, route, path: pathOf(url), status, ms: Math.round(ms * 10) / 10 }, 'Answered');
  };
  return {
    idOf,
    noteWritten({ request, response }, noted) {
      const { method = '', url = '', socket } = request;
      // The system takes nearly every answer at once; who is slow to read is measured until the last byte.
      if (socket.writableLength === 0) note({ ...noted, method, url });
      else response.once('close', () => note({ ...noted, method, url }));
    },
    handler: (request, response, next) => {
      const began = steadyMs();
      const id = idOf(request);
      response.setHeader('X-Request-Id', id);
      response.once('close', () => {
        const { method, originalUrl: url } = request;
        const status = response.headersSent ? response.statusCode : 499;
        note({ id, method, url, route: routeOf(request, response), status, began });
      });
      asRequest(id, next);
    },
  };
}

/** The query is left out: some put keys there. */
function pathOf(url: string): string {
  return (url.split('?', 1)[0] ?? '').slice(0, LONGEST_PATH);
}

/** The pattern of the route that took the request. A part that serves files or routes of its own names itself. */
function routeOf({ route }: { route?: unknown }, { locals }: Response): string {
  const named: unknown = locals['route'];
  if (typeof named === 'string') return named;
  const path: unknown = typeof route === 'object' && route !== null && 'path' in route ? route.path : undefined;
  return typeof path === 'string' ? path : NO_ROUTE;
}

/** Other methods count as one: whoever makes up methods makes no label. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE']);
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const DURATION = 'hourcast_http_request_duration_seconds';
const HELP = 'From the whole head of a request to the end of its answer; event streams are left out.';

/** The requests of one route and method. */
interface Tally {
  /** By status, since the last scrape. */
  readonly answered: Map<number, number>;
  /** By the place of the smallest bucket that they fit in; the last place is for those that fit in none. */
  readonly durations: number[];
  seconds: number;
}

type Tallies = Map<string, Map<string, Tally>>;

/**
 * Counts requests and times their answers, in plain numbers that a scrape reads: prom-client's own children hash their
 * labels for each request, which takes 2 us. There are as many as there are routes, methods and statuses. Answers that last as
 * long as their readers stay have no seconds: their length says nothing.
 */
function requestMetrics(registry: Registry): (noted: Noted, seconds: number | null) => void {
  const tallies: Tallies = new Map();
  const counter = new Counter({
    name: 'hourcast_http_requests_total',
    help: 'Requests answered, by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers: [registry],
    collect: () => {
      for (const [labels, { answered }] of eachOf(tallies)) {
        for (const [status, count] of answered) counter.inc({ ...labels, status }, count);
        answered.clear();
      }
    },
  });
  registry.registerMetric(new Durations(tallies));
  return ({ route, method: given, status }, seconds) => {
    const tally = tallyOf(tallies, route, METHODS.has(given) ? given : 'other');
    tally.answered.set(status, (tally.answered.get(status) ?? 0) + 1);
    if (seconds === null) return;
    let place = 0;
    for (const bound of BUCKETS) {
      if (seconds <= bound) break;
      place += 1;
    }
    tally.durations[place] = (tally.durations[place] ?? 0) + 1;
    tally.seconds += seconds;
  };
}

function tallyOf(tallies: Tallies, route: string, method: string): Tally {
  const ofRoute = tallies.get(route) ?? new Map<string, Tally>();
  const known = ofRoute.get(method);
  if (known !== undefined) return known;
  const tally = { answered: new Map<number, number>(), durations: Array.from(BUCKETS, () => 0).concat(0), seconds: 0 };
  tallies.set(route, ofRoute.set(method, tally));
  return tally;
}

function* eachOf(tallies: Tallies): Generator<readonly [Labels, Tally]> {
  for (const [route, ofRoute] of tallies) {
    for (const [method, tally] of ofRoute) yield [{ route, method }, tally];
  }
}

interface Labels {
  readonly route: string;
  readonly method: string;
}

/** A histogram that is filled when it is read. */
class Durations extends Histogram<keyof Labels> {
  readonly #tallies: Tallies;

  constructor(tallies: Tallies) {
    super({
      name: DURATION,
      help: HELP,
      labelNames: ['route', 'method'],
      buckets: BUCKETS,
      registers: [],
    });
    this.#tallies = tallies;
  }

  /** By this name a registry asks a histogram for its values. */
  async getForPromString() {
    const values = [...eachOf(this.#tallies)].flatMap(([labels, tally]) => seriesOf(labels, tally));
    return { name: DURATION, help: HELP, type: 'histogram', aggregator: 'sum', values };
  }
}

/** The series of one route and method: buckets that hold the smaller ones too, then sum and count. */
function seriesOf(labels: Labels, { durations, seconds }: Tally) {
  let count = 0;
  const buckets = durations.map((fitting, place) => {
    count += fitting;
    const bounded = { le: BUCKETS[place] ?? '+Inf', ...labels };
    return { metricName: `${DURATION}_bucket`, labels: bounded, value: count };
  });
  if (count === 0) return [];
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels, value: seconds },
    { metricName: `${DURATION}_count`, labels, value: count },
  ];
}

/** What a caller's id may look like. Keys are long and begin with words of their own: they are never taken for ids. */
const WELL_FORMED = /^(?!.*pk_live)[A-Za-z0-9._-]{1,64}$/;

const current = new AsyncLocalStorage<string>();

/** The id of the request that is being answered here, or undefined where none is. */
export function requestId(): string | undefined {
  return current.getStore();
}

/** Does `work` as part of the request `id`: what it logs carries the id. */
export function asRequest<T>(id: string, work: () => T): T {
  return current.run(id, work);
}

/** Gives each request an id: the caller's own where it is well-formed, or one that no other request has. */
function requestIds(randomBytes: (count: number) => Buffer): (offered: string | undefined) => string {
  const process = randomBytes(6).toString('hex');
  let count = 0;
  return (offered) => {
    if (offered !== undefined && WELL_FORMED.test(offered)) return offered;
    count += 1;
    return `${process}-${count.toString(36)}`;
  };
}
