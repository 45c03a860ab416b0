import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { mock } from 'node:test';
import { promisify } from 'node:util';

import { expect, test } from '@jest/globals';
import { Client } from 'pg';

import { verify } from '../../clients/js/src/webhooks.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/poll.ts';
import type { Received } from './receiver.ts';
import { hooked, sharedSending } from './sending.ts';

const ADMIN = 'operators-token-of-tests';
const queries = mock.method(Client.prototype, 'query').mock;
const run = promisify(execFile);

const sending = sharedSending({ keyPepper: 'a pepper', adminToken: ADMIN });

async function keysNow() {
  return (await sending.service.request('GET', '/.well-known/hourcast-keys.json')).body.keys;
}

async function message(name: string): Promise<Received> {
  const { path } = await hooked(
    { service: sending.service, url: sending.receiver.url },
    { name, kinds: ['round.closed'] },
  );
  await sending.service.nextHour();
  return until('a message', () => sending.receiver.at(path)[0] ?? false);
}

function headersOf({ id, timestamp, signature }: Received, changes: object = {}): Record<string, string> {
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature, ...changes };
}

function webhookOf({ data }: Received): number {
  return Number(data['webhook_id']);
}

/** The verdict of OpenSSL, which shares no code with Node's way of signing but the library itself, on bytes written by hand. */
async function byOpenssl(publicKey: string, content: string, signature: string): Promise<boolean> {
  await using folder = await scopedFolder();
  try {
    const raw = Buffer.from(publicKey.replace('whpk_', ''), 'base64');
    const [key, text, sign] = ['key', 'text', 'sign'].map((name) => join(folder.path, name));
    // SubjectPublicKeyInfo of Ed25519 (RFC 8410) around the 32 bytes.
    await writeFile(key ?? '', Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), raw]));
    await writeFile(text ?? '', content);
    await writeFile(sign ?? '', Buffer.from(signature, 'base64'));
    const input = ['-rawin', '-in', text ?? '', '-sigfile', sign ?? ''];
    await run('openssl', ['pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-inkey', key ?? '', ...input]);
    return true;
  } catch {
    return false;
  }
}

const PYTHON = `
import json, sys
from hourcast import verify
for case in json.load(sys.stdin):
    try:
        print(verify(case["body"], case["headers"], case["keys"], webhook_id=case["webhookId"])["type"])
    except ValueError as error:
        print(error)
`;

const signedIn = (seconds: number) => ({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) + seconds) });

interface Case {
  readonly body: string;
  readonly headers: Record<string, string>;
  readonly keys: readonly { public_key: string; retired_at?: string }[];
  readonly webhookId: number;
}

async function byPython(cases: readonly Case[]): Promise<readonly string[]> {
  const running = run('python3', ['-c', PYTHON], { env: { ...process.env, PYTHONPATH: 'clients/python/src' } });
  running.child.stdin?.end(JSON.stringify(cases));
  return (await running).stdout.trim().split('\n');
}

async function byJavaScript(cases: readonly Case[]): Promise<readonly string[]> {
  const verdicts = cases.map(({ body, headers, keys, webhookId }) =>
    verify(body, headers, keys, { webhookId }).then(
      ({ type }) => type,
      (error: unknown) => (error instanceof Error ? error.message : ''),
    ),
  );
  return Promise.all(verdicts);
}

test('a message verifies by OpenSSL and both clients, and not after any change', async () => {
  const found = await message('verified');
  const [{ public_key: key }] = await keysNow();
  const [version, signature = ''] = found.signature.split(',');
  expect(version).toBe('v1a');
  expect(await byOpenssl(key, `${found.id}.${found.timestamp}.${found.body}`, signature)).toBe(true);
  expect(await byOpenssl(key, `${found.id}.${found.timestamp}.${found.body} `, signature)).toBe(false);
  const [keys, body] = [[{ public_key: key }], found.body];
  const other = `v1a,${Buffer.alloc(64, 1).toString('base64')}`;
  const retired = (hours: number) => [
    { public_key: key, retired_at: new Date(Date.now() - hours * 3_600_000).toISOString() },
  ];
  const webhookId = webhookOf(found);
  const cases = [
    { body, headers: headersOf(found), keys },
    { body, headers: headersOf(found), keys: retired(23) },
    { body, headers: headersOf(found, { 'webhook-signature': `v1,abc ${other} ${found.signature}` }), keys },
    { body: `${body} `, headers: headersOf(found), keys },
    { body, headers: headersOf(found, { 'webhook-id': 'evt_1-1' }), keys },
    { body, headers: headersOf(found, signedIn(-280)), keys },
    { body, headers: headersOf(found, { 'webhook-signature': other }), keys },
    { body, headers: headersOf(found, { 'webhook-signature': found.signature.slice(0, -8) }), keys },
    { body, headers: headersOf(found), keys: [{ public_key: `whpk_${Buffer.alloc(32, 7).toString('base64')}` }] },
    { body, headers: headersOf(found), keys: [] },
    { body, headers: headersOf(found), keys: retired(25) },
    { body, headers: headersOf(found, signedIn(-320)), keys },
    { body, headers: headersOf(found, signedIn(320)), keys },
    { body, headers: {}, keys },
  ].map((one): Case => ({ webhookId, ...one }));
  const [unsigned, late] = [
    'The webhook must be signed by the service.',
    'The webhook must be signed within the last 5 minutes.',
  ];
  const expected = [...Array<string>(3).fill('round.closed'), ...Array<string>(8).fill(unsigned), late, late, late];
  expect(await byJavaScript(cases)).toEqual(expected);
  expect(await byPython(cases)).toEqual(expected);
});

test('a message signed for another webhook verifies by neither client', async () => {
  const [mine, theirs] = [await message('victim'), await message('attacker')];
  const keys = await keysNow();
  const cases = [mine, theirs].map((found): Case => {
    return { body: found.body, headers: headersOf(found), keys, webhookId: webhookOf(mine) };
  });
  const expected = [
    'round.closed',
    `The message must be for webhook ${webhookOf(mine)} (it is for ${webhookOf(theirs)}).`,
  ];
  expect(webhookOf(mine)).not.toBe(webhookOf(theirs));
  expect(await byJavaScript(cases)).toEqual(expected);
  expect(await byPython(cases)).toEqual(expected);
});

test('the signed time is real, whatever the service’s clock', async () => {
  const found = await message('in-real-time');
  expect(Math.abs(Date.now() / 1000 - Number(found.timestamp))).toBeLessThan(60);
});

test('a new key is linked to the previous one by a note, and both sign', async () => {
  const headers = { authorization: `Bearer ${ADMIN}` };
  const rotate = (id: number, more: object = {}) =>
    sending.service.request('POST', `/admin/keys/${id}/rotate`, { headers, body: { reason: 'A leak.', ...more } });
  const [former] = await keysNow();
  expect((await rotate(1, { dry_run: true })).body).toMatchObject({ key_id: 1, dry_run: true });
  expect(await keysNow()).toEqual([former]);
  const { status, body } = await rotate(1);
  const [present, retired] = await keysNow();
  expect([status, body]).toEqual([200, expect.objectContaining({ key_id: 1, public_key: present.public_key })]);
  expect(retired).toEqual({ ...former, retired_at: present.created_at });
  expect(JSON.parse(present.note)).toEqual({
    type: 'hourcast.key-rotated',
    from: former.public_key,
    to: present.public_key,
    at: present.created_at,
  });
  for (const [at, { public_key: key }] of [former, present].entries())
    expect(await byOpenssl(key, present.note, present.signatures[at])).toBe(true);
  const found = await message('after-rotation');
  for (const key of [former, present])
    await verify(found.body, headersOf(found), [key], { webhookId: webhookOf(found) });
  const listed = (await sending.service.request('GET', '/admin/keys', { headers })).body.keys;
  expect(listed.map(({ id, state, public_key: key }: Record<string, unknown>) => [id, state, key])).toEqual([
    [body.present_id, 'present', present.public_key],
    [1, 'retired', former.public_key],
  ]);
  expect((await rotate(1)).status).toBe(409);
  expect((await rotate(body.present_id, { dry_run: true })).status).toBe(200);
  const { body: audit } = await sending.service.request('GET', '/admin/audit', { headers });
  expect(JSON.stringify(audit)).toContain(present.public_key);
});

test('the private key is stored encrypted by the pepper, and in no answer', async () => {
  const connection = sending.service.newEm().getConnection();
  const rows = await connection.execute<{ private_key: string; sealed: boolean }[]>('select * from service_keys');
  for (const { private_key: stored, sealed } of rows) {
    const bytes = Buffer.from(stored, 'base64');
    expect([sealed, bytes.includes(Buffer.from('302e0201', 'hex')), bytes.length]).toEqual([true, false, 12 + 16 + 48]);
  }
  await expect(sending.start({ keyPepper: 'another' })).rejects.toThrow(/KEY_PEPPER must be the one with which/);
});

test('a private key is in the text of no statement, when it is made or replaced', async () => {
  await using stack = new AsyncDisposableStack();
  queries.resetCalls();
  const service = await startService({ adminToken: ADMIN });
  stack.defer(() => service.stop());
  const headers = { authorization: `Bearer ${ADMIN}` };
  const { status } = await service.request('POST', '/admin/keys/1/rotate', { headers, body: { reason: 'A leak.' } });
  expect(status).toBe(200);
  const keys = await service
    .newEm()
    .getConnection()
    .execute<{ private_key: string }[]>('select private_key from service_keys');
  const texts = queries.calls.map(({ arguments: [query] }) =>
    JSON.stringify(Reflect.get(Object(query), 'text') ?? query),
  );
  expect(texts.filter((text) => text.includes('service_keys')).length).toBeGreaterThan(2);
  expect(texts.filter((text) => keys.some(({ private_key: key }) => text.includes(key)))).toEqual([]);
});

test('a service without a pepper has a key too', async () => {
  const service = await startService();
  const { body } = await service.request('GET', '/.well-known/hourcast-keys.json');
  expect(body.keys).toHaveLength(1);
  await service.stop();
});

test('a retired key signs for a day, and the next rotation then deletes its private half', async () => {
  const headers = { authorization: `Bearer ${ADMIN}` };
  const rotate = (id: number) =>
    sending.service.request('POST', `/admin/keys/${id}/rotate`, { headers, body: { reason: 'Its turn.' } });
  const connection = sending.service.newEm().getConnection();
  const stored = () =>
    connection.execute<{ id: number; kept: boolean }[]>(
      'select id, private_key is not null as kept from service_keys order by id',
    );
  const age = (by: string) => connection.execute(`update service_keys set retired_at = retired_at - interval '${by}'`);
  const former = (await stored()).at(-1)?.id ?? 0;
  await age('1 day');
  const { present_id: present } = (await rotate(former)).body;
  await age('23 hours');
  expect((await message('23-hours-after-rotation')).signature.split(' ')).toHaveLength(2);
  await age('1 hour');
  const found = await message('a-day-after-rotation');
  const [key] = await keysNow();
  expect(found.signature.split(' ')).toHaveLength(1);
  await verify(found.body, headersOf(found), [key], { webhookId: webhookOf(found) });
  const { present_id: next } = (await rotate(present)).body;
  const kept = (await stored()).filter((one) => one.kept);
  expect(kept.map(({ id }) => id)).toEqual([present, next]);
});
