import { Counter, Histogram, type Registry } from 'prom-client';

/** An answered request. `route` is one of the routes' own patterns, never what a caller wrote. */
export interface AnsweredRequest {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  /** True for an answer that lasts as long as its reader stays: its length says nothing. */
  readonly endless: boolean;
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
 * labels for each request, which takes 2 us. There are as many as there are routes, methods and statuses.
 */
export function requestMetrics(registry: Registry): (request: AnsweredRequest) => void {
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
  return ({ route, method: given, status, seconds, endless }) => {
    const tally = tallyOf(tallies, route, METHODS.has(given) ? given : 'other');
    tally.answered.set(status, (tally.answered.get(status) ?? 0) + 1);
    if (endless) return;
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
