import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { join } from 'node:path';

import { consistencyProof, inclusionProof, leafHash, rootOf } from '../../../src/transparency/merkle.ts';
import {
  checkpointText,
  cosignatureOf,
  noteOf,
  signatureOf,
  type Verifier,
  verifierText,
} from '../../../src/transparency/notes.ts';
import { hashesIn, TILE_HASHES, tilePath, widthOf } from '../../../src/transparency/tiles.ts';
import { whereInstalled } from '../../support/installed.ts';
import { scopedFolder } from '../../support/own-folder.ts';

/** A case for the programs beside this file; every one that `isGood` is false of has an error planted. */
type Case = Readonly<Record<string, unknown>> & { readonly kind: string; readonly isGood: boolean };

const TEXTS = Array.from({ length: 700 }, (_, index) => `hourcast prediction 1\n9 ${index} Yes ${index % 101} 0 0 -\n`);
const HASHES = TEXTS.map(leafHash);
const SIZES = [1, 2, 3, 5, 8, 100, 255, 256, 257, 512, 513, 700];
const SECONDS = 1_764_252_009;

/** Where Debian's golang-golang-x-mod-dev keeps its source. */
const GO_PATH = '/usr/share/gocode';
const ENVIRONMENT = { ...process.env, GO111MODULE: 'off', GOFLAGS: '', GOPATH: GO_PATH };

whereInstalled(['go'], "Go's sumdb/note and sumdb/tlog", () => {
  test("Go's note and tlog accept the log's notes, proofs, paths and tiles, and refuse planted errors", async () => {
    const cases = [...(await proofs()), ...notes(), ...paths(), ...(await tiles())];
    await using cache = await scopedFolder();
    const environment = { ...ENVIRONMENT, GOCACHE: cache.path };
    expectVerdicts(cases, 'go', ['run', join(import.meta.dirname, 'check.go')], environment);
  });
});

whereInstalled(['python3'], 'a second implementation', () => {
  test("a second implementation accepts the log's notes, cosignatures and proofs, and refuses planted errors", async () => {
    const cases = [...(await proofs()), ...notes(), ...cosignatures()];
    expectVerdicts(cases, 'python3', [join(import.meta.dirname, 'check.py')], process.env);
  });
});

function expectVerdicts(
  cases: readonly Case[],
  program: string,
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): void {
  const input = cases.map((one) => JSON.stringify(one)).join('\n');
  const { stdout, stderr, status } = spawnSync(program, words, { input, env, encoding: 'utf8', maxBuffer: 2 ** 26 });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  const verdicts = stdout.trim().split('\n');
  expect(verdicts).toHaveLength(cases.length);
  const misjudged = cases.filter(({ isGood }, at) => verdicts[at] !== String(isGood));
  expect(misjudged.map(({ leaves: _leaves, tiles: _tiles, ...one }) => one)).toEqual([]);
  expect(cases.filter(({ isGood }) => !isGood).length).toBeGreaterThan(50);
}

async function proofs(): Promise<readonly Case[]> {
  const found: Case[] = [];
  const hashAt = hashesIn(async ({ level, index }) => tileOf(level, index));
  for (const size of SIZES) {
    const leaves = TEXTS.slice(0, size);
    const tree = { leaves, size, root: rootAt(size) };
    for (const index of new Set([0, 1, size >> 1, size - 1].filter((one) => one < size))) {
      const proof = base64(await inclusionProof(hashAt, index, size));
      const good = { kind: 'inclusion', ...tree, index, leaf: HASHES[index]?.toString('base64'), proof };
      found.push({ ...good, isGood: true }, ...wrong(good, { leaf: rootAt(2), index: index === 0 ? size : index - 1 }));
    }
    for (const former of new Set([1, size >> 1, size - 1].filter((one) => one > 0 && one < size))) {
      const proof = base64(await consistencyProof(hashAt, former, size));
      const good = { kind: 'consistency', ...tree, former, old: rootAt(former), proof };
      found.push({ ...good, isGood: true }, ...wrong(good, { old: HASHES[7]?.toString('base64') }));
    }
  }
  return found.filter(({ index, size }) => index === undefined || Number(index) < Number(size));
}

/** The case with each of these values, with another root, and with a proof that is changed, cut or longer. */
function wrong(
  good: Readonly<Record<string, unknown>> & { readonly kind: string; readonly proof: readonly string[] },
  values: Readonly<Record<string, unknown>>,
): readonly Case[] {
  const { proof } = good;
  const other = leafHash('of no tree').toString('base64');
  return [
    ...Object.entries(values).map(([name, value]) => ({ ...good, [name]: value, isGood: false })),
    { ...good, root: other, isGood: false },
    { ...good, proof: [...proof, other], isGood: false },
    ...proof.map((_, at) => ({ ...good, proof: proof.with(at, other), isGood: false })),
    ...proof.map((_, at) => ({ ...good, proof: proof.toSpliced(at, 1), isGood: false })),
  ];
}

function notes(): readonly Case[] {
  const [old, present, stranger] = [signer('hourcast.log/ab', 1), signer('hourcast.log/ab', 2), signer('other', 1)];
  const text = checkpointText({ origin: 'hourcast.log/ab', size: 700, root: rootOf(Buffer.concat(HASHES)), epoch: 1 });
  const note = noteOf({
    text,
    signatures: [old, present].map(({ verifier, signs }) => signatureOf(verifier, signs, text)),
  });
  const good = { kind: 'note', note, text, isGood: true };
  return [
    ...[old, present].map(({ verifier }) => ({ ...good, verifier: verifierText(verifier) })),
    { ...good, verifier: verifierText(stranger.verifier), isGood: false },
    { ...good, verifier: verifierText({ ...old.verifier, name: 'hourcast.log/ac' }), isGood: false },
    {
      ...good,
      verifier: verifierText(old.verifier),
      text: text.replace('700', '701'),
      note: note.replace('700', '701'),
      isGood: false,
    },
  ];
}

function cosignatures(): readonly Case[] {
  const { verifier, signs } = signer('witness.example', 3);
  const text = checkpointText({ origin: 'hourcast.log/ab', size: 700, root: rootOf(Buffer.concat(HASHES)), epoch: 1 });
  const note = noteOf({ text, signatures: [cosignatureOf(verifier, signs, text, new Date(SECONDS * 1000))] });
  const good = { kind: 'cosignature', note, text, verifier: verifierText(verifier, 'cosignature'), time: SECONDS };
  return [
    { ...good, isGood: true },
    { ...good, time: SECONDS + 1, isGood: false },
    { ...good, verifier: verifierText(verifier), isGood: false },
    { ...good, text: text.replace('700', '701'), note: note.replace('700', '701'), isGood: false },
  ];
}

function paths(): readonly Case[] {
  const places = [0, 1, 255, 999, 1000, 67_890, 1_234_067].flatMap((index) =>
    [0, 1, 2].map((level) => ({ level, index })),
  );
  const good = places.flatMap((place) => [1, 255, 256].map((width) => tilePath(place, width)));
  const bad = ['0/0', '0/x000/001', '0/000.p/0', '0/000.p/257', '0/001/002'];
  return [
    ...good.map((path) => ({ kind: 'path', path, isGood: true })),
    ...bad.map((path) => ({ kind: 'path', path, isGood: false })),
  ];
}

/** Trees that Go reads from tiles alone, and the same with a bit of one tile changed. */
async function tiles(): Promise<readonly Case[]> {
  return [257, 700].flatMap((size) => {
    const all: Record<string, string> = {};
    for (const level of [0, 1])
      for (const index of [0, 1, 2]) {
        const width = widthOf({ level, index }, size);
        const bytes = tileOf(level, index)
          .subarray(0, width * 32)
          .toString('base64');
        if (width > 0) all[`tile/8/${tilePath({ level, index }, width)}`] = bytes;
      }
    const index = size - 1;
    const good = {
      kind: 'tiles',
      size,
      root: rootAt(size),
      index,
      leaf: HASHES[index]?.toString('base64'),
      tiles: all,
    };
    // Full tiles are not read: the one above them has their roots.
    const read = Object.entries(all).filter(([path]) => !/\/0\/\d{3}$/.test(path));
    const changed = read.map(([path, bytes]) => ({ ...all, [path]: flipped(bytes) }));
    return [{ ...good, isGood: true }, ...changed.map((some) => ({ ...good, tiles: some, isGood: false }))];
  });
}

function flipped(bytes: string): string {
  const other = Buffer.from(bytes, 'base64');
  other[0] = (other[0] ?? 0) ^ 1;
  return other.toString('base64');
}

function tileOf(level: number, index: number): Buffer {
  const row = level === 0 ? HASHES : [0, 1].map((tile) => rootOf(tileOf(0, tile)));
  return Buffer.concat(row.slice(index * TILE_HASHES, (index + 1) * TILE_HASHES));
}

function rootAt(size: number): string {
  return rootOf(Buffer.concat(HASHES.slice(0, size))).toString('base64');
}

function base64(hashes: readonly Buffer[]): readonly string[] {
  return hashes.map((hash) => hash.toString('base64'));
}

function signer(
  name: string,
  seed: number,
): { readonly verifier: Verifier; readonly signs: (bytes: Buffer) => Buffer } {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { verifier: { name, publicKey: Buffer.from(x, 'base64url') }, signs: (bytes) => sign(null, bytes, key) };
}
