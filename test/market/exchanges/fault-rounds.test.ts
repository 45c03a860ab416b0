import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { NotDecidableYet, resolveRound } from '../../../src/jobs/resolution.ts';
import { SOURCE_NAMES, type SourceName } from '../../../src/market/exchanges/exchange.ts';
import { addAgents, type Arena, openArena } from '../../jobs/arena.ts';
import { FAULTS, type Effect, type NamedFault } from './faults.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { DECIDED_HOUR, FACTORS, honestFigures, wavyMarket } from './wavy-market.ts';

const MINUTE = 60_000;
const END = new Date(DECIDED_HOUR.getTime() + 60 * MINUTE);
/** Of the tries of a round that waits: at its end, the first of the hour after, and the last. */
const TRIES = [0, 65.75 * MINUTE, 24 * 60 * MINUTE].map((ms) => new Date(END.getTime() + ms));
const DOCUMENT = join(import.meta.dirname, '../../../docs/market.md');

let arena: Arena;
let sources: PlayedSources;

beforeAll(async () => {
  [arena, sources] = await Promise.all([openArena(), playSources(wavyMarket(), FACTORS)]);
  sources.market.faultyHour = DECIDED_HOUR;
  await addAgents(arena, 1);
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
  await arena.close();
});

/** A round about BTC that is over and was answered rightly: the price has not come near 4 % above its start. */
async function insertRound(): Promise<void> {
  await arena.reset();
  await arena.query(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, subject,
       operator, threshold_pct, source, total_entries, confidence_sum)
     values ($1, $2, 'resolving', 'touch', 'boolean', 'asked by a test', '["YES","NO"]', 'BTC', '>=', 4,
       'coinbase+kraken+binance', 1, 80)`,
    [DECIDED_HOUR, END],
  );
  await arena.query(
    `insert into round_assets (round_id, asset, position, provider_id) values (1, 'BTC', 0, 'BTC-USD')`,
  );
  await arena.query(
    `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at) values (1, 1, 'NO', 80, $1)`,
    [DECIDED_HOUR],
  );
}

type Hit = Readonly<Partial<Record<SourceName, NamedFault>>>;

/** Tries to decide the round at `now`; answers how long it is to wait then, or null when it is decided. */
async function tryAt(now: Date, attempt: number, hit: Hit): Promise<number | null> {
  sources.market.now = now;
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = hit[name]?.fault ?? null;
  const market = sources.open();
  try {
    await resolveRound({ newEm: arena.newEm, market }, 1, { now, attempt });
    return null;
  } catch (error) {
    if (error instanceof NotDecidableYet) return error.delayMs;
    throw error;
  } finally {
    await market.stop();
  }
}

interface Row {
  readonly status: string;
  readonly outcome: string | null;
  readonly void_reason: string | null;
  readonly decided_at: Date;
  readonly is_correct: boolean | null;
}

/** What became of the round, in words: they are the table's. */
async function told(): Promise<string> {
  const [row] = await arena.query<Row>(
    `select status, outcome, void_reason, decided_at, is_correct from rounds
     left join scores on scores.round_id = rounds.id where rounds.id = 1`,
  );
  if (row === undefined) throw new Error('The round is gone');
  const after = spanOf(row.decided_at.getTime() - END.getTime());
  if (row.status === 'void') return `void, \`${row.void_reason}\`, after ${after}`;
  const [agreed] = await arena.query('select open, high, low, close from agreed_candles');
  const rows = await arena.query<{ source: SourceName }>('select source from candles where counted');
  const counted = SOURCE_NAMES.filter((name) => rows.some(({ source }) => source === name));
  const honest = honestFigures(counted);
  const right = JSON.stringify(agreed) === JSON.stringify(honest);
  if (right) expect(row).toMatchObject({ status: 'resolved', outcome: 'NO', is_correct: true });
  return `resolved ${right ? 'right' : 'by the two that are wrong'}, ${after === '' ? 'at once' : `after ${after}`}`;
}

function spanOf(ms: number): string {
  const parts = [
    [Math.floor(ms / (60 * MINUTE)), 'h'],
    [Math.floor(ms / MINUTE) % 60, 'min'],
    [(ms % MINUTE) / 1000, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** The fault lasts: a round that waits is tried until a day has passed. */
async function playLasting(hit: Hit): Promise<string> {
  await insertRound();
  for (const [place, now] of TRIES.entries()) if ((await tryAt(now, place + 1, hit)) === null) return told();
  throw new Error('A day has passed, and the round still waits');
}

/** The fault lasts ten minutes: every try at its time. */
async function playPassing(hit: Hit): Promise<string> {
  await insertRound();
  let now = END.getTime();
  for (let attempt = 1; ; attempt++) {
    const wait = await tryAt(new Date(now), attempt, now < END.getTime() + 10 * MINUTE ? hit : {});
    if (wait === null) return told();
    now += wait;
  }
}

async function expectEvidence(hit: SourceName, named: NamedFault): Promise<void> {
  const rows = await arena.query<{ source: string; counted: boolean; left_out: string | null; body_hash: string }>(
    'select source, counted, left_out, body_hash, open, fetched_at from candles order by source',
  );
  expect(rows.map(({ source }) => source)).toEqual(SOURCE_NAMES.toSorted());
  for (const row of rows) {
    const isOut = row.source === hit && named.leftOut !== null;
    expect(row).toMatchObject({ counted: !isOut, fetched_at: END });
    if (isOut) expect(row.left_out).toMatch(named.leftOut ?? '');
    else expect([row.left_out, row.body_hash]).toEqual([null, expect.stringMatching(/^[0-9a-f]{64}$/)]);
  }
}

interface Played {
  readonly one: string;
  readonly two: string;
  readonly passing: string;
}

const DUE: Readonly<Record<'counts' | 'out' | 'wrong', Played>> = {
  counts: { one: 'resolved right, at once', two: 'resolved right, at once', passing: 'resolved right, at once' },
  out: {
    one: 'resolved right, at once',
    two: 'void, `no_prices`, after 24 h',
    passing: 'resolved right, after 15 min 45 s',
  },
  wrong: {
    one: 'resolved right, at once',
    two: 'resolved by the two that are wrong, at once',
    passing: 'resolved by the two that are wrong, at once',
  },
};

/** Its last candle is known for wrong, but not those before: two such clocks agree on them an hour later. */
const WRONG_LATER = 'clock an hour behind';

function dueOf({ name, effect }: { readonly name: string; readonly effect: Effect }): Played {
  if (name === WRONG_LATER) return { ...DUE.out, two: 'resolved by the two that are wrong, after 1 h 5 min 45 s' };
  return effect === 'counts' || effect === 'out' ? DUE[effect] : DUE.wrong;
}

const table: string[] = [];

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

describe('a round that is decided while exchanges are faulty', () => {
  test.each(FAULTS)('$name', async (named) => {
    const seen = {
      one: await playLasting({ kraken: named }),
      two: '',
      passing: '',
    };
    await expectEvidence('kraken', named);
    seen.two = await playLasting({ kraken: named, binance: named });
    seen.passing = await playPassing({ kraken: named, binance: named });
    expect(seen).toEqual(dueOf(named));
    table.push(tableRow([named.name, seen.one, seen.two, seen.passing]));
  });

  test('waits for two that are wrong in different ways, and is void when they stay so', async () => {
    const [high, low] = [faultNamed('prices 3 % too high'), faultNamed('prices 3 % too low')];
    const [lasting, passing] = [
      { kraken: high, binance: low },
      { coinbase: low, binance: high },
    ];
    const row = [await playLasting({ kraken: high }), await playLasting(lasting), await playPassing(passing)];
    expect(row.slice(1)).toEqual(['void, `sources_disagree`, after 24 h', 'resolved right, after 15 min 45 s']);
    const kept = await arena.query('select source from candles where counted');
    expect(kept).toHaveLength(3);
    table.push(tableRow(['one 3 % too high, the other 3 % too low', ...row]));
  });

  test('comes to what docs/market.md says', () => {
    const heading = ['fault', 'one source', 'two sources, for good', 'two sources, for 10 minutes'];
    const text = [tableRow(heading), tableRow(heading.map(() => '---')), ...table].join('\n');
    if (process.env['FAULT_TABLE'] !== undefined) process.stdout.write(`${text}\n`);
    expect(withoutPadding(readFileSync(DOCUMENT, 'utf8'))).toContain(withoutPadding(text));
  });
});

function faultNamed(name: string): NamedFault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`There is no fault ${name}`);
  return found;
}

/** The formatter aligns a table's columns. */
function withoutPadding(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');
}
