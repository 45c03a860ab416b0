import { expect, test } from '@jest/globals';

import { simulatedMarket } from '../../src/market/simulated/simulated.ts';
import { predict, registerMany } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { expectRefusal } from '../support/refusals.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';
import { treeHash } from './log-oracle.ts';
import { checkpointBy, hashOfLeaf } from './proof-oracle.ts';

const service = sharedService();
const priced = sharedService(() => ({ prices: simulatedMarket(), start: '2026-01-01T11:59:00Z' }));

async function bytesAt(path: string) {
  const response = await fetch(`${service.url}/log/tile/${path}`);
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

interface Line {
  readonly index: number;
  readonly leaf: string;
  readonly salt: string | undefined;
}

async function entriesAt(path: string, from: Pick<TestService, 'request'> = service): Promise<readonly Line[]> {
  const { status, body } = await from.request('GET', path);
  expect(status).toBe(200);
  return body
    .split('\n')
    .slice(0, -1)
    .map((line: string) => {
      const [index, leaf = '', salt] = line.split('\t');
      return { index: Number(index), leaf: JSON.parse(leaf), salt };
    });
}

async function checkpoint() {
  const { body: keys } = await service.request('GET', '/.well-known/hourcast-keys.json');
  const { headers, body } = await service.request('GET', '/log/checkpoint');
  const found = checkpointBy(keys.keys[0].public_key, body);
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(keys.keys[0].verifier.startsWith(`${found.origin}+`)).toBe(true);
  expect(keys.log_origin).toBe(found.origin);
  return found;
}

test('the log has no checkpoint before the first round closes', async () => {
  expectRefusal(await service.request('GET', '/log/checkpoint'), 404, /no checkpoint yet/);
  expectRefusal(await service.request('GET', '/log/tile/0/000.p/1'), 404, /no tile at \/log\/tile\/0\/000\.p\/1/);
  expect(await entriesAt('/log/entries')).toEqual([]);
});

test('the leaves at all addresses make the root of the checkpoint, and the tiles of every width', async () => {
  const rounds: number[] = [];
  // Four rounds of 90 leaves fill the first tile.
  const players = await registerMany(service, 'logged', 90);
  for (let hour = 0; hour < 4; hour += 1) {
    rounds.push((await currentRound(service)).id);
    await Promise.all(players.map((player) => predict(service, player, { confidence: 50 + hour })));
    await service.nextHour();
  }
  const { size, root } = await checkpoint();
  expect(size).toBeGreaterThan(360);
  const lists = await Promise.all([entriesAt('/log/entries'), entriesInTurn(rounds)]);
  const leaves: Buffer[] = [];
  for (const { index, leaf } of lists.flat()) leaves[index] = hashOfLeaf(leaf);
  expect(Array.from(leaves, (leaf) => leaf !== undefined)).toEqual(Array.from({ length: size }, () => true));
  expect(treeHash(leaves)).toEqual(root);

  const whole = await bytesAt('0/000');
  expect(whole.bytes).toEqual(Buffer.concat(leaves.slice(0, 256)));
  expect(whole.headers.get('content-type')).toBe('application/octet-stream');
  expect(whole.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  for (const width of [1, 2, 100, 255])
    expect((await bytesAt(`0/000.p/${width}`)).bytes).toEqual(whole.bytes.subarray(0, 32 * width));
  expect((await bytesAt(`0/001.p/${size - 256}`)).bytes).toEqual(Buffer.concat(leaves.slice(256)));
  expect((await bytesAt('1/000.p/1')).bytes).toEqual(treeHash(leaves.slice(0, 256)));

  async function entriesInTurn(ids: readonly number[]): Promise<readonly Line[]> {
    const found: Line[] = [];
    for (const id of ids) found.push(...(await entriesAt(`/log/entries/${id}`)));
    const running = (await currentRound(service)).id;
    return [...found, ...(await entriesAt(`/log/entries/${running}`))];
  }
});

test.each([
  ['0/001', 'a tile that is not full'],
  ['0/001.p/255', 'more hashes than the tree has'],
  ['0/002.p/1', 'a tile behind the end'],
  ['1/000', 'a tile of a level above that is not full'],
  ['2/000.p/1', 'a level that the tree does not have'],
  ['0/000.p/0', 'no width'],
  ['0/000.p/256', 'a full tile as a partial one'],
  ['0/x000/000', 'another spelling'],
  ['0/0', 'digits that are missing'],
  ['63/x999/x999/x999/x999/x999/x999/x999/999.p/1', 'an index beyond all numbers'],
  ['99/000.p/1', 'a level beyond all trees'],
  ['entries/000', 'a bundle'],
  ['..%2fcheckpoint', 'a path upwards'],
])('%s is 404: %s', async (path) => {
  const { status, bytes, headers } = await bytesAt(path);
  expect({ status, code: JSON.parse(bytes.toString()).code }).toEqual({ status: 404, code: 'unknown_tile' });
  expect(headers.get('cache-control')).not.toMatch(/public/);
});

test('entries of no round are refused as unknown, and HEAD and other methods answer as elsewhere', async () => {
  expectRefusal(await service.request('GET', '/log/entries/9999'), 404, /There is no round 9999\./);
  for (const text of ['0', 'x', '1.5', '-1', '99999999999'])
    expectRefusal(await service.request('GET', `/log/entries/${text}`), 400, /round must be a whole number from 1/);
  for (const path of ['checkpoint', 'tile/0/000', 'tile/99/000', 'entries', 'entries/1', 'entries/9999', 'entries/x']) {
    const [head, get] = await Promise.all(['HEAD', 'GET'].map((method) => service.request(method, `/log/${path}`)));
    expect([path, head?.status, head?.headers.get('content-type')]).toEqual([
      path,
      get?.status,
      get?.headers.get('content-type'),
    ]);
  }
  expectRefusal(await service.request('POST', '/log/checkpoint'), 405, /accepts GET, HEAD, not POST/);
});

test('salts of forecasts are shown once their round is over', async () => {
  await priced.nextHour(1);
  const { id } = await currentRound(priced);
  priced.clock.set(new Date('2026-01-01T12:06:00Z'));
  await priced.turn();
  const forecasts = async () =>
    (await entriesAt(`/log/entries/${id}`, priced)).filter(({ leaf }) => leaf.startsWith('hourcast forecast 1\n'));
  const before = await forecasts();
  expect(before.map(({ salt }) => salt ?? 'none')).toEqual(['none']);
  await priced.nextHour();
  expect(await forecasts()).toEqual(before.map((one) => ({ ...one, salt: expect.stringMatching(/^[\da-f]{32}$/) })));
});
