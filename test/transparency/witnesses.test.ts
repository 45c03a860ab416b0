import { createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterAll, expect, test } from '@jest/globals';

import { listen } from '../../src/http/server.ts';
import { cosignatureOf, parsedNote, verifierText } from '../../src/transparency/notes.ts';
import { startOffering } from '../../src/transparency/witnesses.ts';
import { predict, register } from '../support/agents.ts';
import { until } from '../support/poll.ts';
import { sharedService } from '../support/shared.ts';
import { rootBySubproof } from './proof-oracle.ts';

const service = sharedService();
const closing = new AsyncDisposableStack();
afterAll(() => closing.disposeAsync());

interface Seen {
  readonly size: number;
  readonly root: Buffer;
}

type Reply = (
  offered: { readonly old: number; readonly proof: readonly Buffer[]; readonly note: string },
  response: ServerResponse,
) => void;

/** A witness by C2SP tlog-witness, whose reply may be changed. */
async function openWitness(name: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const verifier = { name, publicKey: raw };
  let seen: Seen | null = null;
  const offers: number[] = [];
  const cosign: Reply = ({ old, proof, note }, response) => {
    const { text: signed } = parsedNote(note) ?? { text: '' };
    const [, size = '', root = ''] = signed.split('\n');
    const present = { size: Number(size), root: Buffer.from(root, 'base64') };
    if (old !== (seen?.size ?? 0)) {
      response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${seen?.size ?? 0}\n`);
      return;
    }
    if (seen !== null && !rootBySubproof(proof, seen, present)) {
      response.writeHead(422).end();
      return;
    }
    seen = present;
    const { keyId, bytes } = cosignatureOf(
      verifier,
      (content) => sign(null, content, privateKey),
      signed,
      new Date(1_800_000_000_000),
    );
    response.end(`\u2014 ${name} ${Buffer.concat([keyId, bytes]).toString('base64')}\n`);
  };
  let reply: Reply = cosign;
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [head = '', ...note] = (await text(request)).split('\n\n');
    const [old = '', ...proof] = head.split('\n');
    offers.push(Number(old.replace('old ', '')));
    expect(request.url).toBe('/w/add-checkpoint');
    reply(
      { old: offers.at(-1) ?? -1, proof: proof.map((one) => Buffer.from(one, 'base64')), note: note.join('\n\n') },
      response,
    );
  };
  const server = createServer((request, response) => void take(request, response));
  const url = `${await listen(server, { port: 0, host: '127.0.0.1' })}/w`;
  closing.defer(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    witness: { verifier, url },
    key: createPublicKey(publicKey.export({ type: 'spki', format: 'pem' })),
    offers,
    forget: () => (seen = null),
    answer: (other: Reply | null) => (reply = other ?? cosign),
  };
}

type OpenWitness = Awaited<ReturnType<typeof openWitness>>;

function offering(witnesses: readonly OpenWitness[], timeoutMs = 60_000) {
  const faults: string[] = [];
  let wake: (() => void) | undefined;
  const running = startOffering({
    witnesses: witnesses.map(({ witness }) => witness),
    newEm: service.newEm,
    onEvents(listener) {
      wake = () => listener([]);
      return () => {};
    },
    report: (error) => faults.push(String(error)),
    timeoutMs,
  });
  closing.defer(() => running.stop());
  return { faults, wake: () => wake?.(), stop: () => running.stop() };
}

const checkpoint = async (): Promise<string> => (await service.request('GET', '/log/checkpoint')).body;

function shows({ witness: { verifier }, key }: OpenWitness, note: string): boolean {
  const line = note.split('\n').find((one) => one.startsWith(`\u2014 ${verifier.name} `));
  if (line === undefined) return false;
  const signature = Buffer.from(line.split(' ')[2] ?? '', 'base64').subarray(4 + 8);
  const signed = note.slice(0, note.indexOf('\n\n') + 1);
  return verify(null, Buffer.from(`cosignature/v1\ntime 1800000000\n${signed}`), key, signature);
}

async function hour(): Promise<void> {
  const player = await register(service, `witnessed-${Math.trunc(service.clock.now().getTime() / 3_600_000)}`);
  await predict(service, player);
  await service.nextHour();
}

test('the checkpoint carries the cosignatures of witnesses; one that hangs delays neither hours nor the others', async () => {
  const [first, hanging] = [await openWitness('first.example/w'), await openWitness('hanging.example/w')];
  hanging.answer(() => {});
  const { faults, wake, stop } = offering([first, hanging]);
  for (let n = 0; n < 3; n += 1) {
    await hour();
    wake();
    await until('the cosignature', async () => shows(first, await checkpoint()));
    expect(shows(hanging, await checkpoint())).toBe(false);
  }
  await until('the offer to the hanging one', async () => hanging.offers.length > 0);
  // One is in flight; a stop ends it.
  expect(hanging.offers).toEqual([0]);
  expect(faults).toEqual([]);
  await stop();
});

test('a witness that saw another size is offered a proof from that one, and one that saw nothing the whole log', async () => {
  const late = await openWitness('late.example/w');
  const one = offering([late]);
  await hour();
  one.wake();
  await until('the cosignature', async () => shows(late, await checkpoint()));
  late.forget();
  await hour();
  one.wake();
  await until('the cosignature again', async () => shows(late, await checkpoint()));
  expect(late.offers.at(-1)).toBe(0);
  expect(late.offers.at(-2)).toBeGreaterThan(0);
  expect(one.faults).toEqual([]);
});

test.each<[string, Reply, RegExp]>([
  [
    'refuses',
    (_offered, response) => response.writeHead(403).end(),
    /bad\.example\/0 has not cosigned the checkpoint: It answered 403\./,
  ],
  ['signs nothing', (_offered, response) => response.end(''), /no valid cosignature/],
  [
    'signs something else',
    (_offered, response) => response.end('\u2014 bad.example/2 AAAAAAAAAAAAAAAAAAAAAAAA\n'),
    /no valid cosignature/,
  ],
  [
    'saw more than the log has',
    (_offered, response) => response.writeHead(409).end('99999999\n'),
    /no more leaves than the log has \(it answered "99999999\\n"\)/,
  ],
  ['hangs up', (_offered, response) => response.destroy(), /has not cosigned the checkpoint: other side closed$/],
])('a witness that %s is reported once, and shown once it cosigns', async (what, reply, fault) => {
  const names = ['refuses', 'signs nothing', 'signs something else', 'saw more than the log has', 'hangs up'];
  const bad = await openWitness(`bad.example/${names.indexOf(what)}`);
  bad.answer(reply);
  const one = offering([bad]);
  await hour();
  for (const offers of [1, 2, 3]) {
    one.wake();
    await until(`${offers} offers`, async () => bad.offers.length >= offers);
  }
  await until('the fault', async () => one.faults.length > 0);
  expect(one.faults).toEqual([expect.stringMatching(fault)]);
  expect(shows(bad, await checkpoint())).toBe(false);
  bad.answer(null);
  one.wake();
  await until('the cosignature', async () => {
    one.wake();
    return shows(bad, await checkpoint());
  });
});

test('a key for cosignatures is another text than one for notes', async () => {
  const { witness } = await openWitness('texts.example/w');
  expect(verifierText(witness.verifier, 'cosignature')).not.toBe(verifierText(witness.verifier));
});
