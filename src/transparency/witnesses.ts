import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { reasonOfFetch } from '../database/failures.ts';
import { withoutDeadline } from '../deadline.ts';
import { insertRows } from '../entities/given-rows.ts';
import type { DB } from '../entities/tables.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { rerunAfter } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { consistencyProof } from './merkle.ts';
import { cosignedAt, parsedNote, signatureLine, type Witness } from './notes.ts';
import { logState, storedTiles } from './stored-log.ts';
import { hashesIn } from './tiles.ts';

interface OfferingDeps {
  readonly witnesses: readonly Witness[];
  readonly newEm: () => SqlEntityManager;
  readonly onEvents: LogFollower['onEvents'];
  readonly report: (error: unknown) => void;
  /** The timeout of a call in real milliseconds. */
  readonly timeoutMs?: number;
}

/** The interval of retries, and of checkpoints without an event, in real milliseconds. */
const POLL_MS = 30 * SECOND;

/** Offers each new checkpoint to the witnesses in the background, and stores their cosignatures. A fault is reported once. */
export function startOffering({ witnesses, newEm, onEvents, report, timeoutMs = 10 * SECOND }: OfferingDeps) {
  const stopping = new AbortController();
  const offers = witnesses.map((witness) => {
    let fault = '';
    return rerunAfter(async () => {
      try {
        if (!stopping.signal.aborted)
          await offer(newEm(), witness, () => AbortSignal.any([stopping.signal, AbortSignal.timeout(timeoutMs)]));
        fault = '';
      } catch (cause) {
        const text = `The witness ${witness.verifier.name} has not cosigned the checkpoint: ${reasonOfFetch(cause)}`;
        if (text !== fault && !stopping.signal.aborted) report(new Error(text, { cause }));
        fault = text;
      }
    });
  });
  // Requests wake it too; their deadlines do not apply.
  const wake = (): void => offers.forEach((one) => void withoutDeadline(one));
  const leave = onEvents(wake);
  const poll = setInterval(wake, POLL_MS);
  wake();
  return {
    /** Aborts calls. */
    async stop(): Promise<void> {
      clearInterval(poll);
      leave();
      stopping.abort();
      await Promise.all(offers.map((one) => one.settled()));
    },
  };
}

async function offer(em: SqlEntityManager, { verifier, url }: Witness, inTime: () => AbortSignal): Promise<void> {
  const cosigned = em.getKysely<DB>().selectFrom('log_cosignatures').where('witness', '=', verifier.name);
  const { last } = await cosigned.select(({ fn }) => fn.max('size').as('last')).executeTakeFirstOrThrow();
  const { size, note } = await logState(em);
  if (note === null || (last ?? 0) >= size) return;
  const add = async (former: number): Promise<Response> => {
    const isGrown = former > 0 && former < size;
    const proof = isGrown ? await consistencyProof(hashesIn(storedTiles(em)), former, size) : [];
    const lines = [`old ${former}`, ...proof.map((hash) => hash.toString('base64')), '', note];
    return fetch(`${url}/add-checkpoint`, {
      method: 'POST',
      body: lines.join('\n'),
      signal: inTime(),
      redirect: 'error',
    });
  };
  let answer = await add(last ?? 0);
  // Its state is another one, such as after a lost answer; the body has the size that it saw.
  if (answer.status === 409) answer = await add(sizeIn(await answer.text(), size));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`It answered ${answer.status}.`);
  const answered = parsedNote(`${note}${text}`);
  const signature = answered?.signatures.find(
    (one) => cosignedAt({ text: answered.text, signatures: [one] }, verifier) !== null,
  );
  if (signature === undefined) throw new Error('Its answer has no valid cosignature.');
  const row = { size, witness: verifier.name, line: signatureLine(signature) };
  await insertRows(em, 'log_cosignatures', [row], { onlyNew: true });
}

function sizeIn(text: string, size: number): number {
  const seen = Number(text);
  if (/^\d{1,15}\n?$/.test(text) && seen <= size) return seen;
  throw new Error(
    `It must have seen no more leaves than the log has (it answered ${JSON.stringify(text.slice(0, 60))}).`,
  );
}
