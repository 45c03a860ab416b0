import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resolveRound } from '../../../../src/jobs/resolve/resolve-round.ts';
import { SOURCE_NAMES, type SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import type { Market } from '../../../../src/market/market.ts';
import { addHours, DAY, HOUR, MINUTE, SECOND } from '../../../../src/rules/hours.ts';
import { addAgents, type Arena, openArena } from '../../../support/arena.ts';
import { FAULTS, type Effect, type NamedFault } from './faults.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { insertTouchRound } from './touch-round.ts';
import { DECIDED_HOUR, FACTORS, honestFigures, wavyMarket } from './wavy-market.ts';

const END = addHours(DECIDED_HOUR, 1);
/** By then a round is tried every ten minutes; of those tries only the last few before a day has passed are made. */
const LULL = { from: new Date(END.getTime() + 70 * MINUTE), to: new Date(END.getTime() + DAY - 25 * MINUTE) };
const APART_MS = 10 * MINUTE;
const DOCUMENT = join(import.meta.dirname, '../../../../docs/market.md');

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

type Hit = Readonly<Partial<Record<SourceName, NamedFault>>>;

type HitAt = (now: Date) => Hit;

/** Tries to decide the round at `now`; answers when it is tried next, or null when it is decided. */
async function tryAt(market: Market, now: Date, hit: Hit): Promise<Date | null> {
  sources.market.now = now;
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = hit[name]?.fault ?? null;
  const tried = await resolveRound({ ...arena, market }, 1, { now });
  return tried.kind === 'waits' ? tried.tryAfter : null;
}

/** Tries the round at every time that is due, on one market as a service has it, until it is decided. */
async function play(hitAt: HitAt): Promise<string> {
  await insertTouchRound(arena);
  const market = sources.open({ realNow: () => sources.market.now });
  try {
    for (let now = END; now <= addHours(END, 24);) {
      const next = await tryAt(market, now, hitAt(now));
      if (next === null) return await decisionText();
      now = await afterLull(next);
    }
  } finally {
    await market.stop();
  }
  throw new Error('A day has passed, and the round still waits');
}

/** When the round is tried next, or in a lull when after it, as if it had been tried all the while. */
async function afterLull(next: Date): Promise<Date> {
  const { from, to } = LULL;
  if (next < from || next > to) return next;
  const left = Math.ceil((to.getTime() - next.getTime()) / APART_MS) * APART_MS;
  const resumed = new Date(next.getTime() + left);
  await arena.query('update rounds set last_tried_at = $1', [new Date(resumed.getTime() - APART_MS)]);
  return resumed;
}

/** The fault lasts: a round that waits is tried until a day has passed. */
async function playLasting(hit: Hit): Promise<string> {
  return play(() => hit);
}

/** The fault lasts ten minutes. */
async function playPassing(hit: Hit): Promise<string> {
  return play((now) => (now.getTime() < END.getTime() + 10 * MINUTE ? hit : {}));
}

interface Row {
  readonly status: string;
  readonly outcome: string | null;
  readonly void_reason: string | null;
  readonly decided_at: Date;
  readonly is_correct: boolean | null;
}

/** What became of the round, in words: they are the table's. */
async function decisionText(): Promise<string> {
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
    [Math.floor(ms / HOUR), 'h'],
    [Math.floor(ms / MINUTE) % 60, 'min'],
    [(ms % MINUTE) / SECOND, 's'],
  ] as const;
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [`${count} ${unit}`])).join(' ');
}

/** The others are asked once, whenever the round is decided; the one that is hit at every try. */
async function expectEvidence(hit: SourceName, named: NamedFault): Promise<void> {
  const rows = await arena.query<{ source: string; left_out: string | null; body_hash: string; decided_at: Date }>(
    `select candles.*, decided_at from candles join rounds on rounds.id = round_id order by source`,
  );
  expect(rows.map(({ source }) => source)).toEqual(SOURCE_NAMES.toSorted());
  for (const row of rows) {
    const isOut = row.source === hit && named.leftOut !== null;
    expect(row).toMatchObject({ counted: !isOut, fetched_at: isOut ? row.decided_at : END });
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
    one: 'resolved right, after 45 s',
    two: 'void, `no_prices`, after 24 h',
    passing: 'resolved right, after 13 min 9 s',
  },
  wrong: {
    one: 'resolved right, at once',
    two: 'resolved by the two that are wrong, at once',
    passing: 'resolved by the two that are wrong, at once',
  },
};

/** When a source that no answer comes from has failed five times in a row; from then on nobody waits for it. */
const KNOWN_DOWN: Readonly<Record<string, string>> = {
  '429 with Retry-After': '36 s',
  '500': '6 s',
  redirect: '6 s',
  // Nobody asks it twice in one try.
  hangs: '12 s',
  'closes the connection': '6 s',
  'breaks off half-way': '6 s',
  'truncated JSON': '6 s',
  'a stray byte after the JSON': '6 s',
  'huge body': '6 s',
  'HTML content type': '6 s',
  // Some of the lies are answers.
  'lies in every way': '21 s',
};

/** Its last candle is known for wrong, but not those before: two such clocks agree on them an hour later. */
const WRONG_LATER = 'clock an hour behind';

function dueOf({ name, effect }: { readonly name: string; readonly effect: Effect }): Played {
  if (effect !== 'out') return effect === 'counts' ? DUE.counts : DUE.wrong;
  if (name === WRONG_LATER) return { ...DUE.out, two: 'resolved by the two that are wrong, after 1 h 1 min 9 s' };
  const downAfter = KNOWN_DOWN[name];
  return downAfter === undefined ? DUE.out : { ...DUE.out, one: `resolved right, after ${downAfter}` };
}

/** The faults that come to the same, by the cells of their row. */
const table = new Map<string, string[]>();

function addRow(fault: string, played: readonly string[]): void {
  const cells = played.join(' | ');
  table.set(cells, [...(table.get(cells) ?? []), fault]);
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

describe('round with faulty exchanges', () => {
  test.each(FAULTS)('the fault “$name” of one or two exchanges delays or voids a round', async (named) => {
    const seen = {
      one: await playLasting({ kraken: named }),
      two: '',
      passing: '',
    };
    await expectEvidence('kraken', named);
    seen.two = await playLasting({ kraken: named, binance: named });
    seen.passing = await playPassing({ kraken: named, binance: named });
    expect(seen).toEqual(dueOf(named));
    addRow(named.name, [seen.one, seen.two, seen.passing]);
  });

  test('two different wrong sources delay a round, and void it if they remain', async () => {
    const [high, low] = [faultNamed('prices 3 % too high'), faultNamed('prices 3 % too low')];
    const [lasting, passing] = [
      { kraken: high, binance: low },
      { coinbase: low, binance: high },
    ];
    const row = [await playLasting({ kraken: high }), await playLasting(lasting), await playPassing(passing)];
    expect(row.slice(1)).toEqual(['void, `sources_disagree`, after 24 h', 'resolved right, after 13 min 9 s']);
    const kept = await arena.query('select source from candles where counted');
    expect(kept).toHaveLength(3);
    addRow('one 3 % too high and the other 3 % too low', row);
  });

  test('docs/market.md has the table of these outcomes', () => {
    const heading = ['fault', 'one source', 'two sources, for good', 'two sources, for 10 minutes'];
    const rows = [...table].flatMap(([cells, names]) => inCells(names).map((cell) => tableRow([cell, cells])));
    const text = [tableRow(heading), `|${heading.map(() => '---|').join('')}`, ...rows].join('\n');
    if (process.env['FAULT_TABLE'] !== undefined) process.stdout.write(`${text}\n`);
    expect(withoutPadding(readFileSync(DOCUMENT, 'utf8'))).toContain(withoutPadding(text));
  });
});

/** Names side by side, in as many cells as readers have patience for. */
function inCells(names: readonly string[]): string[] {
  const cells: string[] = [];
  for (const name of names) {
    const longer = `${cells.at(-1) ?? ''}; ${name}`;
    if (cells.length > 0 && longer.length <= 250) cells[cells.length - 1] = longer;
    else cells.push(name);
  }
  return cells;
}

function faultNamed(name: string): NamedFault {
  const found = FAULTS.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`There is no fault ${name}`);
  return found;
}

/** The formatter aligns a table's columns. */
function withoutPadding(text: string): string {
  return text.replaceAll(/ {2,}/g, ' ').replaceAll(/-{3,}/g, '---');
}
