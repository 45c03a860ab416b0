import type { SqlEntityManager } from '@mikro-orm/postgresql';

import type { Bus } from '../backplane/backplane.ts';
import { batcher } from '../batching.ts';
import { withoutDeadline } from '../deadline.ts';
import { appendEvents, type LogFollower, type NewEvent } from '../feed/event-log.ts';
import { pendingWork, rerunAfter, semaphore } from '../in-flight.ts';
import { SECOND } from '../rules/hours.ts';
import { CALL_MS } from './call.ts';
import { claimDue, type Claimed, giveBack, passOver, recordTries, type Try } from './claims.ts';
import { nextMessages, type Reader } from './messages.ts';
import { deliver, type SendingDeps } from './sending.ts';
import { type KeyMaking, signersOf } from './service-keys.ts';
import { announceUnanswered } from './unanswered.ts';

export interface DeliveringDeps extends Omit<SendingDeps, 'signal' | 'next' | 'record' | 'giveBack'> {
  readonly newEm: () => SqlEntityManager;
  /** How long before its end a round takes no answers. */
  readonly lockMs: number;
  readonly keyPepper: KeyMaking['keyPepper'];
  readonly onEvents: LogFollower['onEvents'];
  readonly bus: Bus;
  /** How long a webhook stays with a worker that has died. */
  readonly leaseMs?: number | undefined;
  readonly atOnce?: typeof AT_ONCE;
  readonly report: (error: unknown) => void;
}

/** Sends webhooks what follows their cursors. */
export interface Delivering {
  /** Breaks off what is being sent, and gives back what is in hand. */
  stop(): Promise<void>;
}

/** How many webhooks are called at once: those that fail or are slow have places of their own, so that they take none from others. */
const AT_ONCE = { quick: 400, slow: 100 };
/** How many statements run at once: the connections are the jobs', which decide rounds. */
const STATEMENTS_AT_ONCE = 2;
/** How many have a statement together at the most. */
const GROUP = 500;
/** How late, in real time, what is due is found where nothing else wakes. */
const POLL_MS = 2 * SECOND;

/**
 * Sends each webhook its events in order, until stopped; any number of workers may do so at once. Who dies with a webhook in hand
 * gives it up after its lease, and what it may have sent is sent again under the same id. Throws `StartError` where the service
 * key cannot be read.
 */
export async function startDelivering(deps: DeliveringDeps): Promise<Delivering> {
  const { newEm, clock, keyPepper, report, leaseMs = CALL_MS + 10 * SECOND, atOnce = AT_ONCE } = deps;
  await signersOf(newEm(), keyPepper);
  const inHand = pendingWork();
  const calls = { quick: 0, slow: 0 };
  const stopping = new AbortController();
  const inTurn = semaphore(STATEMENTS_AT_ONCE);
  const ask = <T>(task: (em: SqlEntityManager) => Promise<T>): Promise<T> => inTurn(() => task(newEm()));
  const sending: SendingDeps = { ...deps, ...grouped(deps, { ask, leaseMs }), signal: stopping.signal };
  const look = rerunAfter(async () => {
    if (stopping.signal.aborted) return;
    await announceUnanswered(deps);
    await ask(passOver);
    for (const lane of ['quick', 'slow'] as const) {
      const wanted = { now: clock.now(), slow: lane === 'slow', limit: atOnce[lane] - calls[lane], leaseMs };
      const claims = await ask((em) => claimDue(em, wanted));
      if (claims.length === 0) continue;
      const signers = await ask((em) => signersOf(em, keyPepper));
      calls[lane] += claims.length;
      for (const claimed of claims) {
        const ended = deliver(sending, claimed, signers).catch(report);
        void inHand.track(ended.finally(() => (calls[lane] -= 1)).then(wake));
      }
    }
  });
  // Also woken by requests, whose deadlines are not those of what is sent then.
  const wake = (): void => void withoutDeadline(look).catch(report);
  const leaving = [deps.onEvents(wake), deps.bus.onChange((change) => change !== 'entries' && wake())];
  const poll = setInterval(wake, POLL_MS);
  wake();
  return {
    async stop() {
      clearInterval(poll);
      for (const leave of leaving) leave();
      stopping.abort();
      await look.settled();
      await inHand.settled();
    },
  };
}

interface Asking {
  /** Asks the database, a few at a time. */
  readonly ask: <T>(task: (em: SqlEntityManager) => Promise<T>) => Promise<T>;
  readonly leaseMs: number;
}

/** The statements of all that are being sent to, which an event makes many at once: one for those that wait together. */
function grouped({ clock, lockMs }: Pick<DeliveringDeps, 'clock' | 'lockMs'>, { ask, leaseMs }: Asking) {
  const together = <One, Answer>(run: (em: SqlEntityManager, all: readonly One[]) => Promise<readonly Answer[]>) =>
    batcher<One, Answer>({ inFlight: 1, max: GROUP, run: (all) => ask((em) => run(em, all)) }).add;
  return {
    next: together((em, readers: readonly Reader[]) => nextMessages(em, readers, { now: clock.now(), lockMs })),
    giveBack: together(async (em, given: readonly Claimed[]) => {
      await giveBack(em, given);
      return given.map(() => {});
    }),
    record: together((em, tries: readonly Try[]) =>
      em.transactional(async (transaction) => {
        const ours = await recordTries(transaction, tries, leaseMs);
        // A state that is not active any more stands in the log too, from the same moment on.
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
