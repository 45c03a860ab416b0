import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { FIRST_ANSWERS_ID, type FirstAnswers, nameOf } from './document.ts';
import { Hello, type HelloQuery } from './documents/hello.ts';
import { type Ask, asker, isRecord } from './ask.ts';
import { type Live, openLive } from './live.ts';
import { type CodeShelf, codeShelf } from './code-shelf.ts';
import { chance } from './machine.ts';
import type { Link } from './socket.ts';

/** What every part of the page works with; made once. */
export interface Session {
  /** The page's own, such as `https://example.org`. */
  readonly origin: string;
  /** Whether nothing below the first sight is drawn. */
  readonly isBrief: boolean;
  readonly code: CodeShelf;
  readonly ask: Ask;
  readonly live: Live;
  readonly clock: ServiceClock;
  /** What the page brought along, and what was answered since. */
  readonly answers: Map<string, unknown>;
  /** The keys of what the page brought along and nobody has shown yet: as new as if it had been asked for. */
  readonly brought: Set<string>;
  /** The service as it introduced itself; null until it did. */
  readonly hello: () => HelloQuery['health'] | null;
  readonly onHello: (listener: () => void) => () => void;
}

/** The name under which an answer is kept. */
export function answerKey(name: string, variables: unknown): string {
  return `${name} ${JSON.stringify(variables)}`;
}

interface SessionParts {
  readonly origin: string;
  /** What came with the page. */
  readonly first: FirstAnswers;
  /** Real milliseconds since the page began. */
  readonly steadyMs: () => number;
  readonly isBrief?: boolean;
  /** What is at hand already. */
  readonly code?: CodeShelf;
}

/**
 * Begins with what came with the page, and connects to nobody before a part of the page is shown. Asks the service for its
 * time once a socket is open, and then each time.
 */
export function openSession(parts: SessionParts): Session {
  const { origin, first, steadyMs, isBrief = false, code = codeShelf() } = parts;
  const clock = serviceClock(steadyMs);
  const live = openLive(`${origin.replace(/^http/, 'ws')}/graphql`, chance);
  const answers = new Map<string, unknown>();
  for (const [name, { variables, data }] of Object.entries(first)) answers.set(answerKey(name, variables), data);
  const listeners = new Set<() => void>();
  let hello: HelloQuery['health'] | null = null;
  const meet = ({ health }: HelloQuery, atMs: number): void => {
    clock.set(health.clock, atMs);
    hello = health;
    for (const listener of listeners) listener();
  };
  const said = answers.get(answerKey(nameOf(Hello), {}));
  if (isHello(said)) meet(said, 0);
  live.onLink((link) => {
    if (link !== 'live') return;
    const askedAt = steadyMs();
    // The answer was made half way between question and answer, as far as one can know.
    void live.ask(Hello, {}).then(
      (answer) => meet(answer, (askedAt + steadyMs()) / 2),
      () => {},
    );
  });
  return {
    origin,
    isBrief,
    code,
    ask: asker('/graphql'),
    live,
    clock,
    answers,
    brought: new Set(answers.keys()),
    hello: () => hello,
    onHello: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The first answers that the page's HTML holds. */
export function firstAnswersIn(page: Document): FirstAnswers {
  return JSON.parse(page.getElementById(FIRST_ANSWERS_ID)?.textContent ?? '{}');
}

function isHello(answer: unknown): answer is HelloQuery {
  return isRecord(answer) && isRecord(answer['health']);
}

const SessionContext = createContext<Session | null>(null);
export const SessionProvider = SessionContext.Provider;

/** The session of the page that a part belongs to. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('A part of the page must be inside a SessionProvider');
  return session;
}

/** How the page is connected, now and whenever that changes. */
export function useLink(): Link {
  const { live } = useSession();
  const [link, setLink] = useState(live.link());
  useEffect(() => live.onLink(setLink), [live]);
  return link;
}

/** Calls back each time that the service is within reach again: what was missed meanwhile is to be asked for. */
export function useBack(again: () => void): void {
  const { live } = useSession();
  useEffect(() => live.onLink((link, before) => link === 'live' && before !== 'connecting' && again()), [live, again]);
}

/** What is shown without a link for longer may be out of date. */
const UP_TO_DATE_MS = 10_000;

/** The service's time at which the link was lost, once it has been for some seconds; null while the page is up to date. */
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

/** What the service said of itself last. */
export function useHello(): HelloQuery['health'] | null {
  const { hello, onHello } = useSession();
  const [said, setSaid] = useState(hello());
  useEffect(() => onHello(() => setSaid(hello())), [hello, onHello]);
  return said;
}

/** The service's time, as far as this browser knows it. */
export interface ServiceClock {
  /** Milliseconds since 1970 by the service's clock. */
  now(): number;
  /** Service seconds in a real second. */
  readonly speed: () => number;
  /** Takes over what the service said at the real moment `atMs` of `steadyMs`. */
  set(said: { readonly now: string; readonly speed: number }, atMs: number): void;
}

/** A clock that runs on from what the service said last, by the steady clock that it is given. */
function serviceClock(realMs: () => number): ServiceClock {
  let anchor = { serviceMs: 0, realMs: 0 };
  let speed = 1;
  return {
    now: () => anchor.serviceMs + (realMs() - anchor.realMs) * speed,
    speed: () => speed,
    set({ now, speed: said }, atMs) {
      anchor = { serviceMs: Date.parse(now), realMs: atMs };
      speed = said;
    },
  };
}
