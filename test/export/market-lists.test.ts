import { beforeAll, describe, expect, test } from '@jest/globals';

import { EXPORT_LISTS } from '../../src/export/lists.ts';
import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { type Player, predict, registerMany } from '../support/agents.ts';
import { holdToReference } from '../support/reference.ts';
import { sharedService } from '../support/shared.ts';
import { csvCells } from './csv-cells.ts';

const service = sharedService(() => ({
  prices: simulatedMarket(),
  start: '2026-01-01T20:05:00Z',
  adminToken: TOKEN,
}));
const HOURS = 6;

type Item = Readonly<Record<string, unknown>>;

let players: readonly Player[];
let rounds: readonly Item[];
beforeAll(async () => {
  players = await registerMany(service, 'player', 3);
  for (let hour = 0; hour < HOURS; hour += 1) {
    for (const [place, player] of players.entries())
      expect((await predict(service, player, { confidence: 60 + 10 * place, rationale: 'A trend' })).status).toBe(201);
    await service.nextHour(5 + hour);
  }
  rounds = await exported('rounds', 'status=resolved');
});

/** The rows of an export, each of which is what the reference says. */
async function exported(name: string, query = ''): Promise<Item[]> {
  const path = `/api/export/${name}.ndjson?${query}`;
  const { status, headers, text } = await textOf(path);
  expect(status).toBe(200);
  holdToReference({ method: 'GET', path, status, headers, text });
  const lines = text.split('\n').filter(Boolean);
  return lines.map((line): Item => JSON.parse(line));
}

async function textOf(path: string) {
  const answer = await fetch(service.url + path);
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const answerOf = async (path: string) => (await service.request('GET', path)).body;
const idsOf = (rows: readonly Item[]) => rows.map(({ id }) => Number(id));
const ofRound = (rows: readonly Item[], { id }: Item) => rows.filter(({ round_id: round }) => round === id);

describe.each(['candles', 'quotes', 'references', 'evidence', 'archives'])('export of %s', (name) => {
  test('the export is sorted by unique ids, and continues after any of them', async () => {
    const rows = await exported(name);
    const ids = idsOf(rows);
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(ids).toEqual([...new Set(ids)].toSorted((left, right) => left - right));
    const [middle = 0] = ids.slice(Math.floor(ids.length / 2));
    expect(await exported(name, `after=${middle}`)).toEqual(rows.filter(({ id }) => Number(id) > middle));
    expect(await exported(name, `after=${ids.at(-1)}`)).toEqual([]);
  });

  test('the export of a time without data is empty', async () => {
    expect(await exported(name, 'to=1999-01-01')).toEqual([]);
  });
});

test('the export of candles equals each round’s agreed ones', async () => {
  const rows = await exported('candles');
  for (const round of rounds) {
    const { agreed, question_type } = await answerOf(`/api/rounds/${String(round['id'])}/evidence`);
    const shown = ofRound(rows, round).map(({ asset, hour_start, open, high, low, close, volume }) => ({
      symbol: asset,
      hour_start,
      ...numbersOf({ open, high, low, close, volume }),
    }));
    expect(ofRound(rows, round)[0]).toMatchObject({ question_type, start_time: round['start_time'] });
    const items: readonly Item[] = agreed;
    expect(shown).toEqual(
      items.map(({ symbol, hour_start, ...figures }) => ({ symbol, hour_start, ...numbersOf(figures) })),
    );
  }
});

test('the export of evidence has each source’s figures unchanged', async () => {
  const rows = await exported('evidence');
  for (const round of rounds) {
    const { evidence } = await answerOf(`/api/rounds/${String(round['id'])}/evidence`);
    const shown = ofRound(rows, round).map(({ id: _id, asset, counted, ...row }) => ({
      ...row,
      symbol: asset,
      counted: counted === 1,
    }));
    expect(shown).toMatchObject(evidence);
    expect(shown).toHaveLength(evidence.length);
  }
});

test('the export of quotes has every whole minute of a decided round, though unread before', async () => {
  const [round = {}] = rounds;
  const stored = await exported('quotes', `round_id=${String(round['id'])}`);
  const minutes = stored.filter(({ point }) => Number(point) % 4 === 0).map(({ point }) => Number(point) / 4);
  expect(minutes).toEqual([...Array(60).keys()]);
});

test('quotes and references determine each round’s reference to the last bit', async () => {
  const [quotes, bases] = [await exported('quotes'), await exported('references')];
  for (const round of rounds) {
    const { reference, basis } = await answerOf(`/api/rounds/${String(round['id'])}/reference?points=240`);
    const stored = ofRound(quotes, round);
    expect(
      stored.map(({ at, assets, prices, highs, lows }) => ({ at, prices: priced(assets, prices, highs, lows) })),
    ).toEqual(reference.map(({ at, prices }: Item) => ({ at, prices })));
    const [base] = ofRound(bases, round);
    expect(base).toMatchObject({ covariance: basis.covariance.flat(), sign_before: basis.sign_before });
    expect(stored.every(({ assets }) => String(assets) === String(round['assets']))).toBe(true);
    for (const name of ['choices', 'subject', 'operator', 'threshold_pct', 'n', 'assets', 'rules_version'])
      expect(base?.[name]).toEqual(round[name]);
  }
});

test('the export of archives has the frozen boards, place by place', async () => {
  const rows = await exported('archives');
  const { rankings, amended_rounds: amended, ...board } = await answerOf('/api/leaderboard/archive/2026-01-01');
  const shown = rows.map(({ edge, edge_low: low, edge_high: high, edge_n: n, agent_name: name, ...row }) => ({
    ...row,
    name,
    edge: { mean: edge, low, high, n },
  }));
  expect(shown).toMatchObject(rankings.map((place: Item) => ({ ...board, ...place })));
  expect(shown).toHaveLength(players.length);
  expect(amended).toEqual([]);
});

test.each([
  ['archives', 'kind=week', 0],
  ['archives', 'kind=day,month', 3],
  ['archives', 'agent=player-2', 1],
  ['archives', 'from=2026-01-02', 0],
  ['references', 'status=void', 0],
])('the export of %s is filtered by %s', async (name, query, count) => {
  expect(await exported(name, query)).toHaveLength(count);
});

test.each(['candles', 'evidence'])('the export of %s can be filtered by asset', async (name) => {
  const assets = new Set((await exported(name)).map(({ asset }) => String(asset)));
  for (const asset of assets)
    expect(new Set((await exported(name, `asset=${asset}`)).map((row) => row['asset']))).toEqual(new Set([asset]));
});

describe.each(EXPORT_LISTS.open)('CSV of $name', ({ name, columns, filters }) => {
  const query = filters.some((filter) => filter.name === 'status') ? 'status=resolved' : '';

  test('the CSV has a header, quoted texts and the values of NDJSON', async () => {
    const { headers, text } = await textOf(`/api/export/${name}.csv?${query}`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${name}.csv"`);
    const [heading, ...lines] = csvCells(text);
    expect(heading).toEqual(columns.map((column) => column.name));
    const rows = await exported(name, query);
    const texts = rows.map((row) => columns.map((column) => cellText(row[column.name])));
    expect(lines).toEqual(texts);
    expect(lines.length).toBeGreaterThan(1);
  });

  test('the CSV starts with one byte order mark on request, also before a header alone', async () => {
    for (const span of ['from=2020-01-01', 'to=1999-01-01']) {
      const bytes = async (more: string): Promise<Buffer> =>
        Buffer.from(await (await fetch(`${service.url}/api/export/${name}.csv?${span}${more}`)).arrayBuffer());
      const plain = await bytes('&bom=0');
      expect(await bytes('&bom=1')).toEqual(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), plain]));
      const [heading, ...lines] = csvCells(plain.toString());
      expect([heading, lines.length > 0]).toEqual([columns.map((column) => column.name), span.startsWith('from')]);
    }
  });

  test('each column has a unique name and a description', () => {
    expect(new Set(columns.map((column) => column.name)).size).toBe(columns.length);
    for (const column of columns) expect(column.description).toMatch(/\w+.*\.$/);
  });
});

test('an amended round is exported with its first outcome and the newest reason, and with its first candles', async () => {
  const { id, outcome, choices } = rounds[0] ?? {};
  const ofIt = (name: string) => exported(name, `round_id=${String(id)}`);
  const candles = async () => [await ofIt('candles'), await ofIt('evidence')];
  const [before, answers] = [await candles(), Array.isArray(choices) ? choices : []];
  const amend = (reason: string, more: object) => act(service, 'amend', Number(id), reason, more);
  const other = answers.find((choice) => choice !== outcome);
  expect((await amend('Nobody can tell', { outcome: 'void' })).status).toBe(200);
  expect((await amend('Another answer', { outcome: other })).status).toBe(200);
  expect(await ofIt('rounds')).toMatchObject([
    { outcome: other, amend_reason: 'Another answer', first_outcome: outcome, first_void_reason: null },
  ]);
  expect((await amend('New evidence', { from_evidence: true })).body).toMatchObject({ outcome });
  expect(await candles()).toEqual(before);
});

function cellText(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join(' ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function numbersOf(figures: Item): Item {
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, Number(value)]));
}

function numbersIn(list: unknown): readonly number[] {
  return Array.isArray(list) ? list.map(Number) : [];
}

function priced(assets: unknown, prices: unknown, highs: unknown, lows: unknown): readonly Item[] {
  const names: readonly unknown[] = Array.isArray(assets) ? assets : [];
  return names.map((asset, place) => ({
    asset,
    price_usd: numbersIn(prices)[place],
    high_usd: numbersIn(highs)[place],
    low_usd: numbersIn(lows)[place],
  }));
}
