import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { fanOut } from './fan-out.ts';
import { SMALL, USUAL } from './history-shapes.ts';
import { hostile, records } from './hostile.ts';
import { hostileRuns } from './hostile-runs.ts';
import { installPeers } from './peers.ts';
import { machine, type Result, writeResult } from './results.ts';
import { fewConnections } from './rows/connections.ts';
import { knownDocuments } from './rows/documents.ts';
import { hoursEdge } from './rows/edge.ts';
import { feedProcesses } from './rows/feeds.ts';
import { million } from './rows/million.ts';
import { months } from './rows/months.ts';
import { keyChecks } from './rows/keys.ts';
import { growth } from './rows/growth.ts';
import { besideHandWritten, besidePostGraphile } from './rows/nested.ts';
import { severalProcesses } from './rows/processes.ts';
import { privateReads, publicReads } from './rows/reads.ts';
import { resolution } from './rows/resolution.ts';
import type { Row, RowOptions } from './rows/row.ts';
import { firstAnswers } from './rows/start.ts';
import { besideBadWebhooks } from './rows/webhooks.ts';
import { besideExpressInsert, besideSingleRows } from './rows/submissions.ts';
import { summaryOf } from './summary.ts';

/** All rows, in the order in which they run. */
const BENCHES: Readonly<Record<string, Row>> = {
  P1: besideExpressInsert,
  P2: besideSingleRows,
  P3: publicReads,
  P4: privateReads,
  P5: knownDocuments,
  P6: besidePostGraphile,
  P7: besideHandWritten,
  P8: fenced(fanOut),
  P10: resolution,
  P11: keyChecks,
  P12: severalProcesses,
  first: firstAnswers,
  growth,
  connections: fewConnections,
  edge: hoursEdge,
  feeds: fenced(feedProcesses),
  million,
  months,
  webhooks: besideBadWebhooks,
  hostile: fenced(hostile),
  'hostile-runs': hostileRuns,
  records: fenced(records),
};

/** Rows with a section in bench/results.md. */
const WRITTEN = /^(P\d+|first|growth)$/;
/** Rows of a quick run. */
const QUICK = /^(P\d+|first)$/;

/** Rows measured in one run with another one. */
const TOGETHER: Readonly<Record<string, string>> = { P9: 'P8', 'fan-out': 'P8', processes: 'P12' };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** The folder of the measured service; default: this checkout. */
    service: { type: 'string', default: resolve(import.meta.dirname, '..') },
    /** `small`: little history, to try the benchmarks. */
    history: { type: 'string' },
    repetitions: { type: 'string' },
    seconds: { type: 'string' },
    /** All rows in 10 minutes, roughly. */
    quick: { type: 'boolean', default: false },
    /** Writes each result into bench/results.md. */
    write: { type: 'boolean', default: false },
    /** The folder for the service's CPU profiles, one a process. */
    profile: { type: 'string' },
  },
});
const named = positionals.map((name) => TOGETHER[name] ?? name);
const unknown = named.filter((name) => !Object.hasOwn(BENCHES, name));
if (unknown.length > 0) {
  process.stderr.write(`A benchmark is one of ${Object.keys(BENCHES).join(', ')} (got ${unknown.join(', ')}).\n`);
  process.exit(1);
}
const endings: (() => Promise<void>)[] = [];
let stopping: Promise<never> | null = null;
async function stop(): Promise<never> {
  await Promise.allSettled(endings.map((end) => end()));
  process.exit(1);
}
// Peers see their channel close; a service is stopped at the exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void (stopping ??= stop()));
const service = resolve(values.service);
await installPeers();
const { profile, quick: isQuick } = values;
const usual = isQuick
  ? { history: 'small', repetitions: '1', seconds: '0.5' }
  : { history: 'usual', repetitions: '5', seconds: '3' };
const results: Result[] = [];
for (const [name, bench] of Object.entries(BENCHES)) {
  if (named.length > 0 ? !named.includes(name) : isQuick && !QUICK.test(name)) continue;
  // Errors after a stop are expected.
  const table = await bench({
    service,
    isQuick,
    history: (values.history ?? usual.history) === 'small' ? SMALL : USUAL,
    repetitions: Number(values.repetitions ?? usual.repetitions),
    seconds: Number(values.seconds ?? usual.seconds),
    profile: profile === undefined ? undefined : resolve(profile),
    onStop: (end) => endings.push(end),
  }).catch((error: unknown) => stopping ?? Promise.reject(error));
  const text = `${table}\n\n${machine(service)}`;
  process.stdout.write(`\n${name}\n\n${text}\n`);
  results.push({ name, text });
  if (values.write && WRITTEN.test(name)) writeResult({ name, text });
}
process.stdout.write(`\n${summaryOf(results)}\n`);

/** For benches whose result is a plain table, which keeps its columns in Markdown. */
function fenced(bench: (options: RowOptions) => Promise<string>): Row {
  return async (options) => `\`\`\`\n${await bench(options)}\n\`\`\``;
}
