import { setImmediate } from 'node:timers/promises';

import { sharedPayload, type SharedPayload, type Sink } from './sink.ts';
import type { RootValue } from './subscription-sources.ts';

/** A subscriber, and up to which event of the log it has been told. */
export interface Member {
  readonly sink: Sink;
  place: number;
}

/** Where in the log a publication belongs: at an event, or at a moment after the event `seq`. */
export interface Position {
  readonly seq: number;
  readonly isEvent: boolean;
}

/** Subscribers of one document with the same variables: each root value is executed and serialised once for all. */
export interface Topic {
  /** Executes when its turn comes, and sends the result to those members who are not further than `position` yet. */
  publish(root: RootValue, position: Position): void;
  /** Takes a turn among the publications. A fault fails those whom `concerned` names then. */
  inTurn(work: () => Promise<void>, concerned: () => Iterable<Member>): void;
  /** The result for one root value; the same object gives the same result until it is forgotten. */
  readonly payloadOf: (root: RootValue) => Promise<SharedPayload>;
  /** Counts a subscriber that hears nothing yet. */
  expect(member: Member): void;
  /** Whether the subscriber has not left. */
  readonly expects: (member: Member) => boolean;
  /** The subscriber hears what follows its place from now on. */
  join(member: Member): void;
  leave(member: Member): void;
  /** Leaves, and says why. */
  fail(member: Member, error: unknown): void;
  /** Forgets results: they show things as they were. */
  readonly forget: () => void;
}

/** Runs the operation on a root value; answers the result as JSON text. Throws when the result must not be sent. */
export type Execute = (root: RootValue) => Promise<string>;

/** `onEmpty` is called when the last subscriber has left. */
export function openTopic(execute: Execute, onEmpty: () => void): Topic {
  const expected = new Set<Member>();
  const present = new Set<Member>();
  const { of: payloadOf, forget } = rememberResults(execute);
  const leave = (member: Member): void => {
    present.delete(member);
    if (expected.delete(member) && expected.size === 0) onEmpty();
  };
  const fail = (member: Member, error: unknown): void => {
    leave(member);
    member.sink.fail(error instanceof Error ? error : new Error(String(error)));
  };
  let last: Promise<void> = Promise.resolve();
  const inTurn: Topic['inTurn'] = (work, concerned) => {
    last = last.then(work).catch((error: unknown) => {
      for (const member of concerned()) fail(member, error);
    });
  };
  return {
    publish(root, position) {
      inTurn(
        async () => {
          if (present.size === 0) return;
          tell(present, await payloadOf(root), position);
          // Between two events everybody else has a turn.
          await setImmediate();
        },
        () => [...present].filter((member) => !isBeyond(member, position)),
      );
    },
    inTurn,
    payloadOf,
    expect: (member) => void expected.add(member),
    expects: (member) => expected.has(member),
    join: (member) => void present.add(member),
    leave,
    fail,
    forget,
  };
}

function tell(present: Iterable<Member>, payload: SharedPayload, position: Position): void {
  for (const member of present) {
    if (isBeyond(member, position)) continue;
    member.place = position.seq;
    member.sink.send(payload);
  }
}

function isBeyond({ place }: Member, { seq, isEvent }: Position): boolean {
  return isEvent ? place >= seq : place > seq;
}

/** A failed execution is not remembered: the next who asks tries again. */
function rememberResults(execute: Execute) {
  let results = new WeakMap<RootValue, Promise<SharedPayload>>();
  return {
    of: (root: RootValue): Promise<SharedPayload> => {
      const known = results.get(root);
      if (known !== undefined) return known;
      const home = results;
      const result = execute(root).then(sharedPayload);
      home.set(root, result);
      result.catch(() => home.delete(root));
      return result;
    },
    forget: (): void => {
      results = new WeakMap();
    },
  };
}
