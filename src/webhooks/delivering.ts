import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Bus } from '../backplane/backplane.ts';
import { batcher } from '../batching.ts';
import { withoutDeadline } from '../deadline.ts';
import { appendEvents, type NewEvent } from '../feed/event-log.ts';
import type { LogFollower } from '../feed/log-follower.ts';
import { pendingWork, rerunAfter, semaphore } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { type KeyDeps, signersOf } from '../transparency/service-keys.ts';
import { CALL_MS } from './call.ts';
import { claimDue, type ClaimedWebhook, giveBack, passOver, recordTries, type Try } from './claims.ts';
import { nextMessages, type Reader } from './messages.ts';
import { deliver, type SendingDeps } from './sending.ts';
import { type AnnouncingDeps, announceUnanswered } from './unanswered.ts';

export interface DeliveringDeps extends AnnouncingDeps, Omit<SendingDeps, 'signal' | 'next' | 'record' | 'giveBack'> {
  readonly keyPepper: KeyDeps['keyPepper'];
  readonly onEvents: LogFollower['onEvents'];
  readonly bus: Bus;
  /** The expiry of a claim whose worker has died. */
  readonly leaseMs?: number | undefined;
  readonly atOnce?: typeof AT_ONCE;
  readonly report: (error: unknown) => void;
}

/** The maximum of concurrent calls; failing and slow webhooks have separate slots. */
const AT_ONCE = { quick: 400, slow: 100 };
/** Concurrent statements, on the connections of the jobs, which decide rounds. */
const STATEMENTS_AT_ONCE = 2;
/** The maximum of webhooks per statement. */
const GROUP = 500;
/** The poll interval in real time, in case no wake-up comes. */
const POLL_MS = 2 * SECOND;

/**
 * Sends each webhook its events in order, until stopped; several workers may run at once. If a worker dies its claim
 * expires, and events may be sent again under the same id. Throws `StartError` if the service key cannot be read.
 */
export async function startDelivering(deps: DeliveringDeps) {
  const { newEm, clock, keyPepper, report, leaseMs = CALL_MS + 10 * SECOND, atOnce = AT_ONCE } = deps;
  await signersOf(newEm(), keyPepper);
  const inHand = pendingWork();
  const calls = { quick: 0, slow: 0 };
  const stopping = new AbortController();
  const inTurn = semaphore(STATEMENTS_AT_ONCE);
  const ask = <T>(task: (em: SqlEntityManager) => Promise<T>): Promise<T> => inTurn(() => task(newEm()));
  const sending: SendingDeps = { ...deps, ...batchedStatements(deps, ask, leaseMs), signal: stopping.signal };
  const look = rerunAfter(async () => {
    if (stopping.signal.aborted) return;
    await announceUnanswered(deps);
    await ask(passOver);
    for (const lane of ['quick', 'slow'] as const) {
      const wanted = { now: clock.now(), slow: lane === 'slow', limit: atOnce[lane] - calls[lane], leaseMs };
      const claims = await ask((em) => claimDue(em, wanted));
      if (claims.length === 0) continue;
      const signers = await ask((em) => signersOf(em, keyPepper)).catch(async (error: unknown) => {
        await ask((em) => giveBack(em, claims)).catch(report);
        throw error;
      });
      calls[lane] += claims.length;
      for (const claimed of claims) {
        const ended = deliver(sending, claimed, signers).catch(report);
        void inHand.track(ended.finally(() => (calls[lane] -= 1)).then(wake));
      }
    }
  });
  // Requests wake it too; their deadlines do not apply.
  const wake = (): void => void withoutDeadline(look).catch(report);
  const leaving = [deps.onEvents(wake), deps.bus.onChange((change) => change !== 'entries' && wake())];
  const poll = setInterval(wake, POLL_MS);
  wake();
  return {
    /** Aborts calls and releases claims. */
    async stop(): Promise<void> {
      clearInterval(poll);
      for (const leave of leaving) leave();
      stopping.abort();
      await look.settled();
      await inHand.settled();
    },
  };
}

/** Batches the statements of concurrent deliveries, as an event causes many at once. `ask` runs a few at a time. */
function batchedStatements(
  { clock, lockMs }: DeliveringDeps,
  ask: <T>(task: (em: SqlEntityManager) => Promise<T>) => Promise<T>,
  leaseMs: number,
) {
  const together = <One, Answer>(run: (em: SqlEntityManager, all: readonly One[]) => Promise<readonly Answer[]>) =>
    batcher<One, Answer>({ inFlight: 1, max: GROUP, run: (all) => ask((em) => run(em, all)) }).add;
  return {
    next: together((em, readers: readonly Reader[]) => nextMessages(em, readers, { now: clock.now(), lockMs })),
    giveBack: together(async (em, given: readonly ClaimedWebhook[]) => {
      await giveBack(em, given);
      return given.map(() => {});
    }),
    record: together((em, tries: readonly Try[]) =>
      em.transactional(async (transaction) => {
        const ours = await recordTries(transaction, tries, leaseMs);
        // A webhook that is no longer active is logged in the same transaction.
        await appendEvents(transaction, clock.now(), [...ours].flatMap(endOf));
        return tries.map((made) => ours.has(made));
      }),
    ),
  };
}

function endOf({ became, claimed: { agentId, id: disabledWebhookId } }: Try): readonly NewEvent[] {
  if (became.outcome !== 'failed' || became.state === 'active') return [];
  const own = { agentId, disabledWebhookId, state: became.state };
  return [{ kind: 'WEBHOOK_DISABLED', roundId: null, payload: {}, own }];
}
