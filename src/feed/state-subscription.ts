import type { LogFollower } from './log-follower.ts';
import { refusalIn } from './executions.ts';
import type { SharedExecution, Subscriber } from './shared-execution.ts';
import type { StateField, Subscription } from './subscription-fields.ts';

interface StateSubscriptionDeps {
  readonly log: LogFollower;
  readonly shared: SharedExecution;
  readonly row: StateField;
  readonly args: Readonly<Record<string, unknown>>;
}

const MAX_READS = 5;

export function stateSubscription({ log, shared, row, args }: StateSubscriptionDeps): Subscription {
  let waiting: Subscriber[] = [];
  let joining: Subscriber[] = [];
  const admit = async (): Promise<void> => {
    joining = waiting;
    waiting = [];
    if (!joining.some(shared.has)) return;
    const { payload, seq } = await presentState(log, shared, joining);
    for (const subscriber of joining.filter(shared.has)) {
      subscriber.lastSeq = seq;
      if (payload !== null) subscriber.sink.send(payload);
      shared.goLive(subscriber);
    }
  };
  return {
    tick: row.tick,
    join(sink) {
      const subscriber = { sink, lastSeq: 0 };
      shared.add(subscriber);
      waiting.push(subscriber);
      if (waiting.length === 1) shared.inTurn(admit, () => joining);
      return () => shared.leave(subscriber);
    },
    onEvents(events) {
      for (const event of events) {
        const root = row.onEvent(event, args);
        if (root !== null) shared.publish(root, { seq: event.seq, isEvent: true });
      }
    },
    onTick(roundId, seq) {
      const root = row.onTick(roundId, args);
      if (root !== null) shared.publish(root, { seq, isEvent: false });
    },
    heartbeat: () => {},
  };
}

/** The newest event that the state contains must not be sent again, so the state is read until no event was written meanwhile. */
async function presentState(log: LogFollower, shared: SharedExecution, joining: readonly Subscriber[]) {
  let before = await log.logEnd();
  for (let reads = 1; ; reads += 1) {
    const states = shared.payloadsFor(joining.filter(shared.has), [{}]);
    const [payload = null] = await Promise.all(states.map((state) => state.catch(noneWithoutRound)));
    const after = await log.logEnd();
    if (after === before || reads === MAX_READS) return { payload, seq: before };
    before = after;
  }
}

/** After an operator voided the running round there is no state until the next one opens. */
function noneWithoutRound(error: unknown): null {
  if (refusalIn(error)?.reason === 'no_current_round') return null;
  throw error;
}
