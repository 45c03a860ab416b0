import { generateKeyPairSync, sign } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { verify } from '../../clients/js/src/index.ts';
import { whereInstalled } from '../support/installed.ts';
import { PYTHON_SOURCES } from './languages.ts';
import { run } from './programs.ts';

/* A message that was signed here, with the headers as some gateways write them. */

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
// The last 32 bytes of its DER are the key itself (RFC 8410).
const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('base64');
const keys = [{ public_key: `whpk_${raw}` }];
const body = '{"type":"round.opened","timestamp":"2026-01-01T00:00:00.000Z","data":{"webhook_id":7}}';
const timestamp = String(Math.floor(Date.now() / 1000));
const signature = `v1a,${sign(null, Buffer.from(`evt_1.${timestamp}.${body}`), privateKey).toString('base64')}`;

const SPELLINGS = [
  { id: 'webhook-id', time: 'webhook-timestamp', signed: 'webhook-signature' },
  { id: 'Webhook-Id', time: 'Webhook-Timestamp', signed: 'Webhook-Signature' },
  { id: 'WEBHOOK-ID', time: 'WEBHOOK-TIMESTAMP', signed: 'WEBHOOK-SIGNATURE' },
].map(({ id, time, signed }) => ({ [id]: 'evt_1', [time]: timestamp, [signed]: signature }));

test('verify of the JavaScript client accepts header names in any case', async () => {
  const found = await Promise.all(
    [...SPELLINGS, ...SPELLINGS.map((one) => new Headers(one))].map((headers) =>
      verify(body, headers, keys, { webhookId: 7 }),
    ),
  );
  expect(found.map(({ type }) => type)).toEqual(found.map(() => 'round.opened'));
});

const PYTHON = `
import json, sys
from hourcast import verify
body, keys, *spellings = json.loads(sys.argv[1])
print([verify(body, headers, keys, webhook_id=7)["type"] for headers in spellings])
`;

whereInstalled(['python3'], 'the Python client', () => {
  test('verify of the Python client accepts header names in any case', async () => {
    const given = JSON.stringify([body, keys, ...SPELLINGS]);
    const env = { PYTHONPATH: PYTHON_SOURCES, PYTHONDONTWRITEBYTECODE: '1' };
    const { stdout } = await run(['python3', '-c', PYTHON, given], { env });
    expect(stdout).toBe("['round.opened', 'round.opened', 'round.opened']\n");
  });
});
