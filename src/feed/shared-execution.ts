import { setImmediate } from 'node:timers/promises';

import { type Executions, isOverBudget, type Pay, type RootValue, type Spend } from './executions.ts';
import type { SharedPayload } from './frames.ts';

/** Where the results for one subscriber go. */
export interface Sink {
  /** Whose budgets pay for what the subscriber makes necessary. */
  readonly address: string;
  /** Sends a payload; all who get the same one get the same object. */
  send(payload: SharedPayload): void;
  /** Resolves when the subscriber has read enough to be sent more, or is gone. */
  ready(): Promise<void>;
  /** Ends the subscription with an error. */
  fail(error: Error): void;
}

/** A subscriber, and the seq of the last event that it was sent. */
export interface Member {
  readonly sink: Sink;
  place: number;
}

/** Where in the log a publication belongs: at an event, or at a moment after the event `seq`. */
interface Position {
  readonly seq: number;
  readonly isEvent: boolean;
}

/** Subscribers of one document with the same variables: each root value is executed and serialised once for all. */
export interface SharedExecution extends Membership {
  /**
   * Executes when its turn comes, and sends the result to those members who are not further than `position` yet. They
   * pay in turn. Of two moments that both wait, with no event between them, only the later one is executed.
   */
  publish(root: RootValue, position: Position): void;
  /** Takes a turn among the publications. An error fails the members whom `concerned` then returns. */
  inTurn(work: () => Promise<void>, concerned: () => Iterable<Member>): void;
  /**
   * The results for root values, by which `members` begin or catch up: one of their addresses pays for those that
   * have no result yet.
   */
  readonly payloadsFor: (members: Iterable<Member>, roots: readonly RootValue[]) => readonly Promise<SharedPayload>[];
  /** How many root values are worth asking for at a time. */
  readonly together: number;
  /** Drops the results, which no longer show the present. */
  readonly forget: () => void;
}

interface Membership {
  /** Counts a subscriber that is not sent publications yet. */
  expect(member: Member): void;
  /** Whether the subscriber has not left. */
  readonly expects: (member: Member) => boolean;
  /** From now on the subscriber is sent all publications that follow its place. */
  join(member: Member): void;
  leave(member: Member): void;
  /** Removes the subscriber and fails its sink, unless it has left already. */
  fail(member: Member, error: unknown): void;
}

interface SharedExecutionDeps {
  readonly executions: Executions;
  readonly spend: Spend;
  /** Called when the last subscriber has left. */
  readonly onEmpty: () => void;
}

export function openSharedExecution({ executions, spend, onEmpty }: SharedExecutionDeps): SharedExecution {
  const present = new Set<Member>();
  const members = membership(present, onEmpty);
  let last: Promise<void> = Promise.resolve();
  const inTurn: SharedExecution['inTurn'] = (work, concerned) => {
    last = last.then(work).catch((error: unknown) => {
      for (const member of concerned()) members.fail(member, error);
    });
  };
  const payForUpdate = payInTurn(present, spend);
  const sendToAll = async (root: RootValue, position: Position): Promise<void> => {
    if (present.size === 0) return;
    const [payload] = await Promise.all(executions.of([root], payForUpdate));
    if (payload !== undefined) await sendTo(present, payload, position);
    // The event loop serves others between two events.
    await setImmediate();
  };
  let waitingMoment: { root: RootValue; position: Position } | null = null;
  return {
    ...members,
    inTurn,
    publish(root, position) {
      if (waitingMoment !== null && !position.isEvent) {
        Object.assign(waitingMoment, { root, position });
        return;
      }
      const due = { root, position };
      waitingMoment = position.isEvent ? null : due;
      const run = (): Promise<void> => {
        if (waitingMoment === due) waitingMoment = null;
        return sendToAll(due.root, due.position);
      };
      inTurn(run, () => [...present].filter((member) => !isBeyond(member, due.position)));
    },
    payloadsFor: (payers, roots) =>
      executions.of(roots, (cost) => payerAmong(payers, (address) => spend('subscriptionReplays', address, cost))),
    together: executions.together,
    forget: () => executions.forget(),
  };
}

/** `present` are the members who are sent publications. */
function membership(present: Set<Member>, onEmpty: () => void): Membership {
  const expected = new Set<Member>();
  const leave = (member: Member): void => {
    present.delete(member);
    if (expected.delete(member) && expected.size === 0) onEmpty();
  };
  return {
    expect: (member) => void expected.add(member),
    expects: (member) => expected.has(member),
    join: (member) => void present.add(member),
    leave,
    fail(member, error) {
      if (!expected.has(member)) return;
      leave(member);
      member.sink.fail(error instanceof Error ? error : new Error(String(error)));
    },
  };
}

function payInTurn(present: Set<Member>, spend: Spend): Pay {
  /** A queue of its own for several addresses: none of them waits for what another one has asked for elsewhere. */
  const laneOfAll = Symbol('shared execution');
  return async (cost) => {
    putFirstLast(present);
    const payer = await payerAmong(present, (address) => spend('subscriptionUpdates', address, cost));
    return isOfOneAddress(present) ? payer : laneOfAll;
  };
}

/**
 * The address of the first of `members` whose address can pay. Members that cannot are served too, as long as another
 * one can: the execution is needed anyway.
 */
async function payerAmong(members: Iterable<Member>, spend: (address: string) => Promise<void>): Promise<string> {
  const asked = new Set<string>();
  let refusal: unknown = new Error('No subscriber is left to pay for an execution');
  for (const { sink } of members) {
    if (asked.has(sink.address)) continue;
    asked.add(sink.address);
    try {
      await spend(sink.address);
      return sink.address;
    } catch (error) {
      if (!isOverBudget(error)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}

function putFirstLast(members: Set<Member>): void {
  const [first] = members;
  if (first === undefined) return;
  members.delete(first);
  members.add(first);
}

function isOfOneAddress(members: Iterable<Member>): boolean {
  let known: string | null = null;
  for (const { sink } of members) {
    known ??= sink.address;
    if (sink.address !== known) return false;
  }
  return true;
}

/** How many members are sent a payload before the event loop serves others: 2 to 3 ms of writing. */
const SLICE = 250;

/** Members may leave meanwhile; those who join have been sent what precedes `position`. */
async function sendTo(present: Iterable<Member>, payload: SharedPayload, position: Position): Promise<void> {
  let sent = 0;
  for (const member of present) {
    if (isBeyond(member, position)) continue;
    member.place = position.seq;
    member.sink.send(payload);
    sent += 1;
    if (sent % SLICE === 0) await setImmediate();
  }
}

function isBeyond({ place }: Member, { seq, isEvent }: Position): boolean {
  return isEvent ? place >= seq : place > seq;
}
