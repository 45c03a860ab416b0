import { expect, test } from '@jest/globals';
import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import {
  checkpointText,
  cosignedAt,
  noteOf,
  parsedCheckpoint,
  parsedNote,
  parsedVerifier,
  publicBytes,
  signatureOf,
} from '../../../src/transparency/notes.ts';
import { signingKeys } from '../../../src/transparency/service-keys.ts';
import { startOffering } from '../../../src/transparency/witnesses.ts';
import { CannotVerify } from '../../../src/verify/settings.ts';
import { watchLog } from '../../../src/verify/log/watch.ts';
import { ownFolder } from '../../support/own-folder.ts';
import { until } from '../../support/poll.ts';
import { sharedField } from '../../support/shared.ts';
import { rewriteFrom } from '../planted-log.ts';

const field = sharedField({ agents: 4, keeping: { bytes: 0 } }, (played) => played.play(3));
const PEM = { format: 'pem', type: 'pkcs8' } as const;
const NOW = new Date('2026-11-27T14:00:09Z');

/** A watch of the service's log in a folder of its own. */
function watching(file: string, pollMs = 20) {
  const lines: string[] = [];
  const ending = new AbortController();
  const witness = { name: 'witness.example/w1', host: '127.0.0.1', port: 0 };
  const needs = { print: (line: string) => void lines.push(line), now: () => NOW, signal: ending.signal, pollMs };
  const ended = watchLog(field.service.url, { file, watches: true, witness }, needs);
  const line = (pattern: RegExp): Promise<string> =>
    until(String(pattern), () => lines.find((one) => pattern.test(one)) ?? null);
  return { lines, line, stop: () => (ending.abort(), ended) };
}

const folder = ownFolder();
const seenFile = (): string => join(folder, `${randomUUID()}.json`);

/** The address of a watch's witness, and the size of the log that it saw. */
async function witnessOf(watch: ReturnType<typeof watching>) {
  const [, url = ''] = / listens on (\S+)$/.exec(await watch.line(/^Witness /)) ?? [];
  const [, seen = ''] = /(\d+) leaves$/.exec(await watch.line(/ leaves$/)) ?? [];
  return { url, seen };
}

async function offer(url: string, old: string, note: string): Promise<number> {
  return (await fetch(url, { method: 'POST', body: `old ${old}\n\n${note}` })).status;
}

test('a witness cosigns what the service offers, keeps it over a restart, and raises an alarm for rewritten history', async () => {
  const { service } = field;
  const file = seenFile();
  const first = watching(file);
  const [, key = '', url = ''] =
    /^Witness (\S+) listens on (\S+)\/add-checkpoint$/.exec(await first.line(/^Witness /)) ?? [];
  const verifier = parsedVerifier(key);
  if (verifier === null) throw new Error(`No key of a witness: ${key}`);
  await first.line(/ leaves$/);
  const shown = async () => parsedNote(String((await service.request('GET', '/log/checkpoint')).body));
  await field.play(1);
  const offering = startOffering({
    witnesses: [{ verifier, url }],
    newEm: service.newEm,
    onEvents: () => () => {},
    report: (error) => service.reported.push(error),
  });
  await until('a cosignature', async () => {
    const note = await shown();
    return note !== null && cosignedAt(note, verifier)?.getTime() === NOW.getTime();
  });
  await offering.stop();
  const sizes = first.lines.filter((line) => line.endsWith(' leaves'));
  expect(sizes.length).toBeGreaterThan(1);
  await first.stop();

  const second = watching(file);
  expect(await second.line(/^Witness /)).toContain(key);
  await service.newEm().transactional(async (transaction) => {
    await transaction.execute('set local session_replication_role = replica');
    await rewriteFrom(transaction, 2);
  });
  expect(await second.line(/^ALARM/)).toMatch(
    /^ALARM: The first \d+ leaves of the log are not those that were published\.$/,
  );
  await second.stop();
  expect(second.lines.filter((line) => line.startsWith('ALARM'))).toHaveLength(1);
  expect(readFileSync(file, 'utf8')).toContain(sizes.at(-1)?.split(' ').at(1) ?? '');
});

test('a witness raises no alarm for a true checkpoint with a wrong proof', async () => {
  const { service } = field;
  const watch = watching(seenFile(), 600_000);
  const { url, seen } = await witnessOf(watch);
  await field.play(1);
  const { body } = await service.request('GET', '/log/checkpoint');
  expect(await offer(url, seen, String(body))).toBe(422);
  expect(watch.lines.filter((line) => line.startsWith('ALARM'))).toEqual([]);
  await watch.stop();
});

test.each([
  { what: 'of the same size', status: 409, more: 0 },
  { what: 'that is longer than the log', status: 422, more: 1 },
])('a witness raises an alarm for a signed checkpoint $what and of another tree', async ({ status, more }) => {
  const { service } = field;
  const watch = watching(seenFile());
  const { url, seen } = await witnessOf(watch);
  const present = parsedCheckpoint(String((await service.request('GET', '/log/checkpoint')).body));
  if (present === null) throw new Error('The log has no checkpoint');
  const text = checkpointText({ ...present, size: present.size + more, root: Buffer.alloc(32, 1) });
  const keys = await signingKeys(service.newEm(), undefined, () => {});
  const signatures = keys.map((key) =>
    signatureOf({ name: present.origin, publicKey: publicBytes(key) }, (bytes) => sign(null, bytes, key), text),
  );
  expect(await offer(url, seen, noteOf({ text, signatures }))).toBe(status);
  expect(await watch.line(/^ALARM/)).toMatch(/leaves/);
  await watch.stop();
});

test('a file of something else is refused', async () => {
  const file = seenFile();
  writeFileSync(file, 'hello');
  await expect(watching(file).stop()).rejects.toThrow(`${file} must be a file that verify --log wrote (got "hello").`);
});

test.each([
  ['damaged', (file: string) => writeFileSync(file, '-----BEGIN PRIVATE KEY-----\nhello\n')],
  ['of another kind', (file: string) => writeFileSync(file, generateKeyPairSync('x25519').privateKey.export(PEM))],
  ['not readable', (file: string) => mkdirSync(file)],
])('a key that is %s ends the witness with a sentence', async (_what, make) => {
  const file = seenFile();
  make(`${file}.key`);
  const ended = watching(file).stop();
  await expect(ended).rejects.toThrow(CannotVerify);
  await expect(ended).rejects.toThrow(`${file}.key must be an Ed25519 private key that can be read (`);
});
