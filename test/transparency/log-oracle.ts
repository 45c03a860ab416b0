import assert from 'node:assert/strict';
import { createPublicKey, hash, verify } from 'node:crypto';

/* The log, computed again from rows by RFC 6962 and docs/log.md alone: nothing of the service is imported. */

/** Rows of a statement: `bigint` are numbers or text, `bytea` buffers, times dates. */
export type Query = <Row extends object>(text: string) => Promise<readonly Row[]>;

/** A `bigint` as the connection returns it. */
type Wide = number | string;

export interface LogRow {
  readonly index: number;
  readonly kind: string;
  readonly round_id: number | null;
  readonly period: string | null;
  readonly entries: number | null;
  readonly leaf: string;
  readonly salt: string | null;
  readonly note: string | null;
}

export interface Whole {
  readonly records: readonly LogRow[];
  readonly leaves: readonly string[];
  readonly size: number;
}

/** A `bigint`, which some connections return as text. */
function numberIn(value: number | string): number {
  return Number(value);
}

export function sha256(...parts: readonly (string | Buffer)[]): Buffer {
  return hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer');
}

/** RFC 6962, section 2.1, over the hashes of leaves. */
export function treeHash(hashes: readonly Buffer[], from = 0, to = hashes.length): Buffer {
  if (to === from) return sha256();
  if (to - from === 1) return hashes[from] ?? sha256();
  let half = 1;
  while (half * 2 < to - from) half *= 2;
  return sha256(Buffer.of(1), treeHash(hashes, from, from + half), treeHash(hashes, from + half, to));
}

/** The root of a round's own leaves, which begin at index `at` of the log. */
function ownRoot(hashes: readonly Buffer[], at: number): Buffer {
  let width = 1;
  while (2 * width <= hashes.length && at % (2 * width) === 0) width *= 2;
  const left = treeHash(hashes, 0, Math.min(width, hashes.length));
  return width >= hashes.length ? left : sha256(Buffer.of(1), left, ownRoot(hashes.slice(width), at + width));
}

interface PredictionRow {
  readonly round_id: number;
  readonly agent_id: number;
  readonly prediction: string;
  readonly confidence: number;
  readonly submitted_at: Date;
  readonly standing: boolean;
  readonly worded: boolean;
  readonly rationale: string | null;
  readonly model: string | null;
  readonly erased: string | null;
}

const PREDICTIONS = `select p.round_id, p.agent_id, p.prediction, p.confidence, p.submitted_at, p.standing,
    w.agent_id is not null as worded, w.rationale, w.model, e.digest as erased
  from predictions p left join rationales w on w.round_id = p.round_id and w.agent_id = p.agent_id
  left join erased_words e on e.round_id = p.round_id and e.agent_id = p.agent_id order by p.id`;

export function leafOf(row: PredictionRow): string {
  const words = row.worded ? sha256(row.rationale ?? '', '\0', row.model ?? '').toString('hex') : (row.erased ?? '-');
  return `hourcast prediction 1\n${row.round_id} ${row.agent_id} ${row.prediction} ${row.confidence} ${row.submitted_at.getTime()} ${Number(row.standing)} ${words}\n`;
}

/** The leaf hashes of each round's predictions, in the order of their ids. */
export async function leavesByRound(query: Query): Promise<ReadonlyMap<number, readonly string[]>> {
  const rows = await query<PredictionRow>(PREDICTIONS);
  const byRound = Map.groupBy(rows, (row) => row.round_id);
  return new Map([...byRound].map(([id, ofRound]) => [id, ofRound.map(leafOf)]));
}

/** Reads the whole log, and fails unless tiles, state, own roots and every checkpoint follow from the rows. */
export async function expectWhole(query: Query): Promise<Whole> {
  const records = (
    await query<Omit<LogRow, 'index'> & { index: Wide }>('select * from log_records order by index')
  ).map((row) => ({
    ...row,
    index: numberIn(row.index),
  }));
  const ofRounds = await leavesByRound(query);
  const leaves: string[] = [];
  for (const { index, kind, round_id: roundId, leaf, entries } of records) {
    if (kind === 'closed') {
      const own = ofRounds.get(roundId ?? 0) ?? [];
      assert.equal(entries, own.length, `entries of round ${roundId}`);
      const hashes = own.map((text) => sha256('\0', text));
      const root = ownRoot(hashes, leaves.length).toString('base64');
      assert.ok(leaf.includes(`\nentries ${own.length}\nroot ${root}\n`), `the root of round ${roundId}`);
      leaves.push(...own);
    }
    assert.equal(index, leaves.length, `the index of the leaf ${kind}`);
    leaves.push(leaf);
  }
  const hashes = leaves.map((leaf) => sha256('\0', leaf));
  const [state] = await query<{ origin: string; size: number; note: string | null }>('select * from log_state');
  assert.equal(Number(state?.size), leaves.length, 'the size of the log');
  assert.equal(state?.note, records.at(-1)?.note ?? null, 'the newest checkpoint');
  for (const { index, note } of records)
    if (note !== null)
      await expectSigned(query, note, { origin: state?.origin, size: index + 1, root: treeHash(hashes, 0, index + 1) });
  await expectTiles(query, hashes);
  return { records, leaves, size: leaves.length };
}

/** The first fault that `expectWhole` finds, or nothing. */
export async function logDifferences(query: Query): Promise<readonly string[]> {
  try {
    await expectWhole(query);
    return [];
  } catch (error) {
    if (error instanceof assert.AssertionError) return [`log: ${error.message}`];
    throw error;
  }
}

async function expectTiles(query: Query, hashes: readonly Buffer[]): Promise<void> {
  const found = await query<{ level: number; index: Wide; hashes: Buffer }>(
    'select * from log_tiles order by level, index',
  );
  const expected: { level: number; index: number; hashes: string }[] = [];
  for (let [level, row] = [0, hashes]; row.length > 0; level += 1) {
    for (let at = 0; at < row.length; at += 256)
      expected.push({ level, index: at / 256, hashes: Buffer.concat(row.slice(at, at + 256)).toString('hex') });
    const whole = Math.floor(row.length / 256);
    row = Array.from({ length: whole }, (_, tile) => treeHash(row, tile * 256, tile * 256 + 256));
  }
  const shown = found.map(({ level, index, hashes: bytes }) => ({
    level,
    index: numberIn(index),
    hashes: bytes.toString('hex'),
  }));
  assert.deepEqual(
    shown.map(({ level, index, hashes: text }) => [level, index, text.length]),
    expected.map(({ level, index, hashes: text }) => [level, index, text.length]),
  );
  assert.deepEqual(sha256(JSON.stringify(shown)), sha256(JSON.stringify(expected)), 'the hashes of the tiles');
}

interface Signed {
  readonly origin: string | undefined;
  readonly size: number;
  readonly root: Buffer;
}

/** Signed note and checkpoint of C2SP, signed by every key of the service. */
async function expectSigned(query: Query, note: string, { origin, size, root }: Signed): Promise<void> {
  const [text = '', signatures = ''] = note.split('\n\n');
  assert.deepEqual(text.split('\n').slice(0, 3), [origin, String(size), root.toString('base64')]);
  const keys = await query<{ public_key: string }>('select public_key from service_keys order by id desc');
  const lines = signatures.trimEnd().split('\n');
  assert.equal(lines.length, keys.length, 'signatures of a checkpoint');
  for (const [place, { public_key: publicKey }] of keys.entries()) {
    const [dash, name, encoded = ''] = lines[place]?.split(' ') ?? [];
    assert.deepEqual([dash, name], ['\u2014', origin]);
    const bytes = Buffer.from(encoded, 'base64');
    const key = Buffer.from(publicKey, 'base64');
    assert.deepEqual(bytes.subarray(0, 4), sha256(`${origin}\n`, Buffer.of(1), key).subarray(0, 4));
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: key.toString('base64url') };
    assert.ok(
      verify(null, Buffer.from(`${text}\n`), createPublicKey({ key: jwk, format: 'jwk' }), bytes.subarray(4)),
      'the signature of a checkpoint',
    );
  }
}

/** A field of a record's leaf. */
export function fieldOf({ leaf }: Pick<LogRow, 'leaf'>, name: string): string {
  const line = leaf.split('\n').find((one) => one.startsWith(`${name} `));
  if (line === undefined) throw new Error(`The leaf has no ${name}: ${leaf}`);
  return line.slice(name.length + 1);
}
