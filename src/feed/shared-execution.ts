import { setImmediate } from 'node:timers/promises';

import { type Executions, isOverBudget, type Pay, type RootValue, type Spend } from './executions.ts';
import type { SharedPayload } from './frames.ts';

export interface Sink {
  readonly address: string;
  send(payload: SharedPayload): void;
  ready(): Promise<void>;
  fail(error: Error): void;
}

export interface Member {
  readonly sink: Sink;
  lastSeq: number;
}

interface Position {
  readonly seq: number;
  readonly isEvent: boolean;
}

export type SharedExecution = ReturnType<typeof openSharedExecution>;

interface SharedExecutionDeps {
  readonly executions: Executions;
  readonly spend: Spend;
  readonly onEmpty: () => void;
}

export function openSharedExecution({ executions, spend, onEmpty }: SharedExecutionDeps) {
  const present = new Set<Member>();
  const members = membership(present, onEmpty);
  let last: Promise<void> = Promise.resolve();
  /** Queues work among the publications. An error fails the members that `concerned` returns. */
  const inTurn = (work: () => Promise<void>, concerned: () => Iterable<Member>): void => {
    last = last.then(work).catch((error: unknown) => {
      for (const member of concerned()) members.fail(member, error);
    });
  };
  const payForUpdate = payInTurn(present, spend);
  const sendToAll = async (root: RootValue, position: Position): Promise<void> => {
    if (present.size === 0) return;
    const [payload] = await Promise.all(executions.of([root], payForUpdate));
    if (payload !== undefined) await sendTo(present, payload, position);
    await setImmediate();
  };
  let waitingMoment: { root: RootValue; position: Position } | null = null;
  return {
    ...members,
    inTurn,
    /** Sends to members not beyond `position`; their addresses pay in rotation. A later moment replaces one that still waits. */
    publish(root: RootValue, position: Position): void {
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
    /** The results with which `payers` begin or catch up, charged to one address's budget. */
    payloadsFor: (payers: Iterable<Member>, roots: readonly RootValue[]) =>
      executions.of(roots, (cost) => payerAmong(payers, (address) => spend('subscriptionReplays', address, cost))),
    together: executions.together,
    forget: () => executions.forget(),
  };
}

function membership(present: Set<Member>, onEmpty: () => void) {
  const expected = new Set<Member>();
  const leave = (member: Member): void => {
    present.delete(member);
    if (expected.delete(member) && expected.size === 0) onEmpty();
  };
  return {
    expect: (member: Member) => void expected.add(member),
    expects: (member: Member) => expected.has(member),
    join: (member: Member) => void present.add(member),
    leave,
    fail(member: Member, error: unknown): void {
      if (!expected.has(member)) return;
      leave(member);
      member.sink.fail(error instanceof Error ? error : new Error(String(error)));
    },
  };
}

function payInTurn(present: Set<Member>, spend: Spend): Pay {
  /** Executions shared by several addresses have a separate queue, so they do not wait for other executions of one address. */
  const laneOfAll = Symbol('shared execution');
  return async (cost) => {
    putFirstLast(present);
    const payer = await payerAmong(present, (address) => spend('subscriptionUpdates', address, cost));
    return isOfOneAddress(present) ? payer : laneOfAll;
  };
}

/** The first address with budget left. Members without budget are served too: the execution is needed anyway. */
async function payerAmong(members: Iterable<Member>, spend: (address: string) => Promise<void>): Promise<string> {
  const tried = new Set<string>();
  let refusal: unknown = new Error('No subscriber is left to pay for an execution');
  for (const { sink } of members) {
    if (tried.has(sink.address)) continue;
    tried.add(sink.address);
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

/** Payloads sent before the event loop serves others: 2 to 3 ms of writing. */
const SLICE = 250;

async function sendTo(present: Iterable<Member>, payload: SharedPayload, position: Position): Promise<void> {
  let sent = 0;
  for (const member of present) {
    if (isBeyond(member, position)) continue;
    member.lastSeq = position.seq;
    member.sink.send(payload);
    sent += 1;
    if (sent % SLICE === 0) await setImmediate();
  }
}

function isBeyond({ lastSeq }: Member, { seq, isEvent }: Position): boolean {
  return isEvent ? lastSeq >= seq : lastSeq > seq;
}
