import { expect, test } from '@jest/globals';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

import { consistencyProof, leafHash, rootOf, subtreesOf } from '../../../src/transparency/merkle.ts';
import {
  checkpointText,
  cosignedAt,
  noteOf,
  parsedNote,
  signatureOf,
  type Verifier,
} from '../../../src/transparency/notes.ts';
import { contradiction, verifiedHead } from '../../../src/verify/log/log-head.ts';
import { addCheckpoint } from '../../../src/verify/log/witness.ts';

const NAME = 'hourcast.log/0123456789abcdef';
const LOG = signer(NAME, 1);
const STRANGER = signer(NAME, 2);
const WITNESS = signer('witness.example', 3);
const NOW = new Date('2026-11-27T14:00:09Z');
const HASHES = Array.from({ length: 9 }, (_, index) => leafHash(`leaf ${index}`));

const SEEN = verifiedHead(noteFor(5), [LOG.verifier.publicKey]);

test('a witness cosigns a checkpoint that continues the one that it saw', async () => {
  const note = noteFor(9);
  const { status, text, head } = await offer(5, await proof(5, 9), note);
  expect(status).toBe(200);
  expect(head?.checkpoint.size).toBe(9);
  const cosigned = parsedNote(note + text);
  expect(cosigned && cosignedAt(cosigned, WITNESS.verifier)).toEqual(NOW);
});

test('a witness cosigns the checkpoint that it saw again', async () => {
  expect((await offer(5, [], noteFor(5))).status).toBe(200);
});

test.each([
  { what: 'another old size', status: 409, text: '5\n', body: () => offer(3, [], noteFor(9)) },
  { what: 'another tree of the same size', status: 409, text: '5\n', body: () => offer(5, [], noteFor(5, 'other')) },
  {
    what: 'no proof',
    status: 422,
    text: 'The first 5 leaves of the log are not those that were published.',
    body: () => offer(5, [], noteFor(9)),
  },
  {
    what: 'a fork with a proof of its own',
    status: 422,
    text: 'The first 5 leaves of the log are not those that were published.',
    body: async () => offer(5, await proof(5, 9, 'other'), noteFor(9, 'other')),
  },
  {
    what: 'an old size above the new one',
    status: 400,
    text: 'The old size must be at most 4 (got 5).',
    body: () => offer(5, [], noteFor(4)),
  },
  {
    what: 'another log',
    status: 404,
    text: 'The witness does not follow hourcast.log/other.',
    body: () => offer(5, [], noteFor(9, 'leaf', signer('hourcast.log/other', 1))),
  },
  {
    what: 'no checkpoint',
    status: 400,
    text: 'The body must be an old size, a proof and a checkpoint.',
    body: () => offer(5, [], 'nothing'),
  },
])('a witness refuses $what', async ({ status, text, body }) => {
  expect(await body()).toMatchObject({ status, text, head: null });
});

test.each([
  { what: 'another tree of the same size', note: noteFor(5, 'other') },
  { what: 'a larger tree without its proof', note: noteFor(9) },
])('a signed checkpoint of $what is doubted', async ({ note }) => {
  expect((await offer(5, [], note)).doubted?.note).toBe(note);
});

test.each([
  { what: 'that names another old size', answer: () => offer(3, [], noteFor(9)) },
  { what: 'of a foreign key', answer: () => offer(5, [], noteFor(9, 'leaf', STRANGER)) },
])('a checkpoint $what is not doubted', async ({ answer }) => {
  expect((await answer()).doubted).toBeNull();
});

test('a checkpoint of a foreign key or of none is refused with name and key', async () => {
  const foreign = await offer(5, [], noteFor(9, 'leaf', STRANGER));
  expect(foreign.status).toBe(403);
  expect(foreign.text).toMatch(
    /^The checkpoint must be signed by hourcast\.log\/0123456789abcdef\+[\da-f]{8}\+\S+ \(got hourcast\.log\/0123456789abcdef\+[\da-f]{8}\)\.$/,
  );
  const [unsigned = ''] = noteFor(9).split('\u2014');
  expect((await offer(5, [], unsigned)).text).toMatch(/ \(got no signature\)\.$/);
});

test.each([
  {
    what: 'another name',
    sentence: 'The log is hourcast.log/other, and was hourcast.log/0123456789abcdef.',
    now: headOf(9, { name: 'hourcast.log/other' }),
  },
  {
    what: 'none of the former keys',
    sentence: /^The service has none of its former keys: hourcast\.log\/0123456789abcdef\+/,
    now: headOf(9, { seed: 2 }),
  },
  { what: 'fewer leaves', sentence: 'The log has 4 leaves; 5 were published.', now: headOf(4, {}) },
  {
    what: 'fewer leaves after a restore',
    sentence: 'The log has 4 leaves; 5 were published. Epoch 2 began with a backup that lacks them.',
    now: headOf(4, { epoch: 2 }),
  },
])('a log with $what contradicts the one that was seen', async ({ sentence, now }) => {
  expect(await contradiction(SEEN, now, proof)).toEqual(
    typeof sentence === 'string' ? sentence : expect.stringMatching(sentence),
  );
});

test('a log that grew, with its key or one of several, contradicts nothing', async () => {
  expect(await contradiction(SEEN, headOf(9, { epoch: 2 }), proof)).toBeNull();
  const both = verifiedHead(noteFor(9, 'leaf', STRANGER), [STRANGER.verifier.publicKey, LOG.verifier.publicKey]);
  expect(await contradiction(SEEN, both, proof)).toBeNull();
});

function headOf(size: number, { name = NAME, seed = 1, epoch = 1 }: { name?: string; seed?: number; epoch?: number }) {
  const { verifier, sign: signs } = signer(name, seed);
  const root = rootOf(Buffer.concat(HASHES.slice(0, size)));
  const text = checkpointText({ origin: name, size, root, epoch });
  return verifiedHead(noteOf({ text, signatures: [signatureOf(verifier, signs, text)] }), [verifier.publicKey]);
}

function offer(former: number, hashes: readonly Buffer[], note: string) {
  const lines = [`old ${former}`, ...hashes.map((hash) => hash.toString('base64')), '', note];
  return addCheckpoint(lines.join('\n'), { seen: SEEN, signer: WITNESS, now: NOW });
}

function hashesOf(kind: string): readonly Buffer[] {
  return kind === 'leaf' ? HASHES : HASHES.map((_, index) => leafHash(`${kind} ${index}`));
}

function noteFor(size: number, kind = 'leaf', { verifier, sign: signs } = LOG): string {
  const root = rootOf(Buffer.concat(hashesOf(kind).slice(0, size)));
  const text = checkpointText({ origin: verifier.name, size, root, epoch: 1 });
  return noteOf({ text, signatures: [signatureOf(verifier, signs, text)] });
}

function proof(former: number, size: number, kind = 'leaf'): Promise<readonly Buffer[]> {
  return consistencyProof(subtreesOf(Buffer.concat(hashesOf(kind))), former, size);
}

function signer(name: string, seed: number): { readonly verifier: Verifier; readonly sign: (bytes: Buffer) => Buffer } {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { verifier: { name, publicKey: Buffer.from(x, 'base64url') }, sign: (bytes) => sign(null, bytes, key) };
}
