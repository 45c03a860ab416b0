import { expect, test } from '@jest/globals';
import { createPrivateKey, createPublicKey, sign } from 'node:crypto';

import {
  checkpointText,
  cosignatureOf,
  cosignedAt,
  isSignedBy,
  noteOf,
  parsedCheckpoint,
  parsedNote,
  parsedVerifier,
  parsedWitnesses,
  signatureOf,
  type SignBytes,
  type Verifier,
  verifierText,
} from '../../src/transparency/notes.ts';

/** The example of Go's sumdb/note. */
const NEUMANN = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SAYING =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n" +
  '\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';

const ROOT = Buffer.alloc(32, 7);
const TEXT = checkpointText({ origin: 'hourcast.log/0123456789abcdef', size: 812, root: ROOT, epoch: 2 });
const LOG = signer('hourcast.log/0123456789abcdef', 1);
const WITNESS = signer('witness.example/w1', 2);
const SEEN = new Date('2026-11-27T14:00:09Z');

test('a note that another program signed verifies by its key', () => {
  const verifier = parsedVerifier(NEUMANN);
  const note = parsedNote(SAYING);
  if (verifier === null || note === null) throw new Error('The example does not parse');
  expect(verifierText(verifier)).toBe(NEUMANN);
  expect(isSignedBy(note, verifier)).toBe(true);
  expect(isSignedBy({ ...note, text: note.text.replace('answer', 'reason') }, verifier)).toBe(false);
  expect(isSignedBy(note, { ...verifier, name: 'PeterNewmann' })).toBe(false);
  expect(isSignedBy(note, LOG.verifier)).toBe(false);
  expect(noteOf(note)).toBe(SAYING);
});

test('a checkpoint has the lines of tlog-checkpoint', () => {
  expect(TEXT).toBe(`hourcast.log/0123456789abcdef\n812\n${ROOT.toString('base64')}\nepoch 2\n`);
  expect(parsedCheckpoint(TEXT)).toEqual({ origin: 'hourcast.log/0123456789abcdef', size: 812, root: ROOT, epoch: 2 });
  expect(parsedCheckpoint(`example.com/other\n5\n${ROOT.toString('base64')}\nany line\n`)).toEqual({
    origin: 'example.com/other',
    size: 5,
    root: ROOT,
    epoch: 1,
  });
});

test.each([
  ['no size', `a\n${ROOT.toString('base64')}\n`],
  ['a size with a zero before it', `a\n08\n${ROOT.toString('base64')}\n`],
  ['a negative size', `a\n-8\n${ROOT.toString('base64')}\n`],
  ['a short root', 'a\n8\nAAAA\n'],
  ['no lines', ''],
])('a text with %s is no checkpoint', (_, text) => {
  expect(parsedCheckpoint(text)).toBeNull();
});

test.each([
  ['no empty line', 'a\n'],
  ['no signature', 'a\n\n'],
  ['a hyphen for the dash', SAYING.replace('\u2014', '-')],
  ['a cut signature', SAYING.slice(0, -1)],
  ['words behind the signature', `${SAYING}more\n`],
  ['a name with a plus', SAYING.replace('PeterNeumann x', 'Peter+Neumann x')],
  ['the id of a key alone', 'a\n\n\u2014 PeterNeumann AAAAAA==\n'],
])('a text with %s is no signed note', (_, note) => {
  expect(parsedNote(note)).toBeNull();
});

test.each([
  ['an id of another key', NEUMANN.replace('c74f20a3', 'c74f20a4')],
  ['a short key', 'a+c74f20a3+ARpc2Q=='],
  ['two parts', 'a+c74f20a3'],
])('a text with %s is no verifier', (_, text) => {
  expect(parsedVerifier(text)).toBeNull();
});

test('a checkpoint carries signatures of several keys and a cosignature with its time', () => {
  const own = [LOG, signer(LOG.verifier.name, 3)];
  const signatures = own.map(({ verifier, signs }) => signatureOf(verifier, signs, TEXT));
  const cosignature = cosignatureOf(WITNESS.verifier, WITNESS.signs, TEXT, SEEN);
  const note = parsedNote(noteOf({ text: TEXT, signatures: [...signatures, cosignature] }));
  if (note === null) throw new Error('The note does not parse');
  expect(own.map(({ verifier }) => isSignedBy(note, verifier))).toEqual([true, true]);
  expect(cosignedAt(note, WITNESS.verifier)).toEqual(SEEN);
  expect(cosignedAt(note, LOG.verifier)).toBeNull();
  expect(isSignedBy(note, WITNESS.verifier)).toBe(false);
  expect(cosignedAt({ ...note, text: TEXT.replace('812', '813') }, WITNESS.verifier)).toBeNull();
  const late = Buffer.from(cosignature.bytes);
  late.writeBigUInt64BE(1n);
  const parts = [{ bytes: late }, { bytes: late.subarray(0, 4) }, { name: 'other.example' }];
  for (const part of parts)
    expect(cosignedAt({ text: TEXT, signatures: [{ ...cosignature, ...part }] }, WITNESS.verifier)).toBeNull();
  const renamed = signatures.map((one) => ({ ...one, name: 'other.example' }));
  expect(isSignedBy({ text: TEXT, signatures: renamed }, LOG.verifier)).toBe(false);
});

test('a witness is named by its key for cosignatures, not by one for notes', () => {
  const named = (kind: 'note' | 'cosignature') => [`${verifierText(WITNESS.verifier, kind)}=https://a.example/w/`];
  expect(parsedWitnesses(named('cosignature'))).toEqual([{ verifier: WITNESS.verifier, url: 'https://a.example/w' }]);
  expect(parsedWitnesses(named('note'))).toBeNull();
});

test('verifiers of both kinds return from their texts', () => {
  for (const kind of ['note', 'cosignature'] as const) {
    expect(parsedVerifier(verifierText(WITNESS.verifier, kind))).toEqual(WITNESS.verifier);
  }
});

function signer(name: string, seed: number): { readonly verifier: Verifier; readonly signs: SignBytes } {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = createPrivateKey({ key: Buffer.concat([prefix, Buffer.alloc(32, seed)]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return { verifier: { name, publicKey: Buffer.from(x, 'base64url') }, signs: (bytes) => sign(null, bytes, key) };
}
