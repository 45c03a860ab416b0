import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { FIRST_ANSWERS_ID, type FirstAnswers, nameOf } from './document.ts';
import { Hello, type HelloQuery } from './documents/hello.ts';
import { type Ask, asker, isRecord } from './ask.ts';
import { type Live, openLive } from './live.ts';
import { type CodeShelf, codeShelf } from './code-shelf.ts';
import { chance } from './machine.ts';
import type { Link } from './socket.ts';

/** Shared by all parts of the page; created once. */
export interface Session {
  /** The page's origin, such as `https://example.org`. */
  readonly origin: string;
  /** True: only the part visible without scrolling is rendered. */
  readonly isBrief: boolean;
  readonly code: CodeShelf;
  readonly ask: Ask;
  readonly live: Live;
  readonly clock: ReturnType<typeof serviceClock>;
  /** Answers that came with the page, and later ones. */
  readonly answers: Map<string, unknown>;
  /** Keys of unused answers that came with the page; these are fresh. */
  readonly brought: Set<string>;
  /** Null until the service has answered `Hello`. */
  readonly hello: () => HelloQuery['health'] | null;
  /** `isBehind`: the page may have missed events. */
  readonly onHello: (listener: (isBehind: boolean) => void) => () => void;
}

/** The cache key of an answer. */
export function answerKey(name: string, variables: unknown): string {
  return `${name} ${JSON.stringify(variables)}`;
}

interface SessionParts {
  readonly origin: string;
  readonly first: FirstAnswers;
  /** Real milliseconds since the page began. */
  readonly steadyMs: () => number;
  readonly isBrief?: boolean;
  /** Loaded code. */
  readonly code?: CodeShelf;
}

/** Connects only once a part of the page is shown. Queries the service's time after each connect. */
export function openSession(parts: SessionParts): Session {
  const { origin, first, steadyMs, isBrief = false, code = codeShelf() } = parts;
  const clock = serviceClock(steadyMs);
  const ask = asker('/graphql');
  const live = openLive(`${origin.replace(/^http/, 'ws')}/graphql`, chance);
  const answers = new Map<string, unknown>();
  for (const [name, { variables, data }] of Object.entries(first)) answers.set(answerKey(name, variables), data);
  const brought = new Set(answers.keys());
  const listeners = new Set<(isBehind: boolean) => void>();
  let hello: HelloQuery['health'] | null = null;
  const meet = ({ health }: HelloQuery, atMs: number): void => {
    clock.set(health.clock, atMs);
    hello = health;
  };
  const known = answers.get(answerKey(nameOf(Hello), {}));
  if (isHello(known)) meet(known, 0);
  let links = 0;
  const greet = async (): Promise<void> => {
    const isFirst = links++ === 0;
    const seen = hello?.lastSeq;
    // Sockets of a process without a database answer no queries.
    for (const askBy of [live.ask, ask]) {
      const askedAt = steadyMs();
      try {
        // Assumes that both ways of the round trip take the same time.
        meet(await askBy(Hello, {}), (askedAt + steadyMs()) / 2);
        break;
      } catch {
        // Then the time stays as it is.
      }
    }
    // A first connection is behind a page that the browser kept, or that was rendered before an event.
    const isBehind = !isFirst || hello?.lastSeq !== seen;
    if (isBehind) brought.clear();
    for (const listener of listeners) listener(isBehind);
  };
  live.onLink((link) => {
    if (link === 'live') void greet();
  });
  return {
    origin,
    isBrief,
    code,
    ask,
    live,
    clock,
    answers,
    brought,
    hello: () => hello,
    onHello: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function firstAnswersIn(page: Document): FirstAnswers {
  return JSON.parse(page.getElementById(FIRST_ANSWERS_ID)?.textContent ?? '{}');
}

function isHello(answer: unknown): answer is HelloQuery {
  return isRecord(answer) && isRecord(answer['health']);
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('Parts must be in a SessionProvider');
  return session;
}

export function useLink(): Link {
  const { live } = useSession();
  const [link, setLink] = useState(live.link());
  useEffect(() => live.onLink(setLink), [live]);
  return link;
}

/** Calls back when events may have been missed, to fetch what they changed. */
export function useBack(again: () => void): void {
  const { onHello } = useSession();
  useEffect(() => onHello((isBehind) => isBehind && again()), [onHello, again]);
}

/** After this time without a link the page may be outdated. */
const UP_TO_DATE_MS = 10_000;

/** The service's time at the loss of the link, after some seconds; null while the page is up to date. */
export function useAsOf(): number | null {
  const { clock } = useSession();
  const isLive = useLink() === 'live';
  const [asOf, setAsOf] = useState<number | null>(null);
  useEffect(() => {
    const lost = clock.now();
    const timer = setTimeout(() => setAsOf(isLive ? null : lost), isLive ? 0 : UP_TO_DATE_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  return asOf;
}

export function useHello(): HelloQuery['health'] | null {
  const { hello, onHello } = useSession();
  const [shown, setShown] = useState(hello());
  useEffect(() => onHello(() => setShown(hello())), [hello, onHello]);
  return shown;
}

/** An estimate of the service's time. Advances with the steady clock between synchronizations. */
function serviceClock(realMs: () => number) {
  let anchorMs = 0;
  let setAtMs = 0;
  let speed = 1;
  return {
    /** Milliseconds since 1970. */
    now: () => anchorMs + (realMs() - setAtMs) * speed,
    /** Service seconds in a real second. */
    speed: () => speed,
    /** Synchronizes to the service's answer at the real moment `atMs` of `steadyMs`. */
    set({ now, speed: given }: HelloQuery['health']['clock'], atMs: number): void {
      anchorMs = Date.parse(now);
      setAtMs = atMs;
      speed = given;
    },
  };
}
