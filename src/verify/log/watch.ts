import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';

import { codeOf, reason } from '../../database/failures.ts';
import { semaphore } from '../../in-flight.ts';
import { SECOND } from '../../rules/hours.ts';
import { consistencyProof } from '../../transparency/merkle.ts';
import { publicBytes, verifierText } from '../../transparency/notes.ts';
import { hashesIn } from '../../transparency/tiles.ts';
import { contradiction, type Head, readHead, servedTiles } from './log-head.ts';
import { readSeen, writeSeen } from './seen-log.ts';
import { serviceClient } from '../published/service-client.ts';
import { CannotVerify, type LogSettings, type WitnessSettings } from '../settings.ts';
import { addCheckpoint, type Answer, type Signer } from './witness.ts';

const POLL_MS = 30 * SECOND;
const MAX_BODY = 65_536;

interface WatchNeeds {
  readonly print: (line: string) => void;
  readonly now: () => Date;
  /** Ends the watch. */
  readonly signal: AbortSignal;
  readonly pollMs?: number;
}

/** Follows a log until `signal` aborts, prints each alarm once, and cosigns if the settings have a witness. */
export async function watchLog(url: string, { file, witness }: LogSettings, needs: WatchNeeds): Promise<void> {
  const { print, now, signal, pollMs = POLL_MS } = needs;
  const client = serviceClient(url, { print });
  let seen = await readSeen(file);
  let alarm: string | null = null;
  const keep = async (head: Head): Promise<void> => {
    await writeSeen(file, head);
    if (head.checkpoint.size !== seen?.checkpoint.size) print(`${now().toISOString()} ${head.checkpoint.size} leaves`);
    seen = head;
  };
  const raise = (fault: string | null): void => {
    if (fault !== null && fault !== alarm) print(`ALARM: ${fault}`);
    alarm = fault;
  };
  /** Signed checkpoints that were offered with a wrong proof, and the polls that contradicted them. */
  const doubted = new Map<string, { readonly head: Head; polls: number }>();
  const follow = async (): Promise<void> => {
    const head = await readHead(client);
    const hashAt = hashesIn(servedTiles(client, head.checkpoint.size));
    const faultOf = (former: Head) => contradiction(former, head, (from, to) => consistencyProof(hashAt, from, to));
    let fault = seen && (await faultOf(seen));
    if (fault === null) await keep(head);
    for (const [key, one] of doubted) {
      const split = await faultOf(one.head);
      if (split === null) doubted.delete(key);
      // The service may have served its checkpoint of a second before.
      else if (++one.polls > 1) fault ??= split;
    }
    raise(fault);
  };
  // Checkpoints are compared and stored one after the other.
  const inTurn = semaphore(1);
  await using stack = new AsyncDisposableStack();
  if (witness !== null) {
    const signer = await signerOf(witness.name, `${file}.key`);
    const server = await openServer(witness, (body) =>
      inTurn(async () => {
        const answer = await addCheckpoint(body, { seen, signer, now: now() });
        if (answer.head !== null) await keep(answer.head);
        // A wrong proof is its sender's: the next polls compare the checkpoint with the log.
        if (answer.doubted !== null) doubted.set(keyOf(answer.doubted), { head: answer.doubted, polls: 0 });
        return answer;
      }),
    );
    stack.defer(server.close);
    print(`Witness ${verifierText(signer.verifier, 'cosignature')} listens on ${server.url}/add-checkpoint`);
  }
  while (!signal.aborted) {
    await inTurn(follow).catch((error: unknown) => {
      if (!(error instanceof CannotVerify)) throw error;
      raise(error.message);
    });
    await after(pollMs, null, { signal }).catch(() => null);
  }
}

function keyOf({ checkpoint: { size, root } }: Head): string {
  return `${size} ${root.toString('base64')}`;
}

type Reply = (body: string) => Promise<Pick<Answer, 'status' | 'text'>>;

async function openServer({ host, port }: WitnessSettings, reply: Reply) {
  const server = createServer((request, response) => {
    const send = async (): Promise<void> => {
      const { status, text } = await replyTo(request, reply);
      const type = status === 409 ? 'text/x.tlog.size' : 'text/plain; charset=utf-8';
      response.writeHead(status, { 'content-type': type }).end(text);
    };
    send().catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    const refuse = ({ message }: Error) => reject(new CannotVerify(`--witness cannot listen: ${message}.`));
    server.once('error', refuse).listen(port, host, resolve);
  });
  const address = server.address();
  const opened = typeof address === 'object' ? address?.port : port;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${opened}`,
    close: () => server.close().closeAllConnections(),
  };
}

async function replyTo(request: IncomingMessage, reply: Reply): ReturnType<Reply> {
  if (request.method !== 'POST' || request.url?.endsWith('/add-checkpoint') !== true)
    return { status: 404, text: 'The witness has only POST /add-checkpoint.' };
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes <= MAX_BODY) pieces.push(piece);
  }
  if (bytes <= MAX_BODY) return reply(Buffer.concat(pieces).toString());
  return { status: 400, text: `The body must have at most ${MAX_BODY} bytes (got ${bytes}).` };
}

/** The key in the file, which is made if there is none. Throws `CannotVerify`. */
async function signerOf(name: string, file: string): Promise<Signer> {
  try {
    const key = createPrivateKey(await pemIn(file));
    if (key.asymmetricKeyType !== 'ed25519') throw new Error(`its type is ${key.asymmetricKeyType}`);
    return { verifier: { name, publicKey: publicBytes(key) }, sign: (bytes) => sign(null, bytes, key) };
  } catch (cause) {
    throw new CannotVerify(`${file} must be an Ed25519 private key that can be read (${reason(cause)}).`, { cause });
  }
}

async function pemIn(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(async (error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    const made = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeFile(file, made, { mode: 0o600, flag: 'wx' });
    return made;
  });
}
