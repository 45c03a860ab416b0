import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { NAV_LINKS } from '../addresses.ts';
import { useArrivals, useNavigation } from '../navigation.ts';
import { useHello, useLink } from '../session.ts';
import type { Link } from '../socket.ts';
import { TITLES } from '../titles.ts';
import { useSignedIn } from './later.tsx';

export function Shell({ children }: { readonly children: ComponentChildren }) {
  const { route, moves } = useNavigation();
  useArrivals(moves);
  useSignedIn();
  return (
    <>
      <Top here={route?.page ?? ''}>
        <LinkState />
      </Top>
      <PricesNotice />
      <p class="visually-hidden" role="status">
        {moves > 0 && <span key={moves}>{route && TITLES[route.page]}</span>}
      </p>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </>
  );
}

/** Also above the service's documents. `here` marks the current page's link. */
export function Top({ here, children }: { readonly here: string; readonly children?: ComponentChildren }) {
  const current = (pages: readonly string[]): 'page' | undefined => (pages.includes(here) ? 'page' : undefined);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/" aria-label="Hourcast, the hour being played">
          <Mark />
          <span>Hourcast</span>
        </a>
        <nav aria-label="Pages">
          {NAV_LINKS.map(({ href, text, pages }) => (
            <a href={href} aria-current={current(pages)}>
              {text}
            </a>
          ))}
        </nav>
        {children}
        <a class="mine" href="/me" aria-current={current(['me'])}>
          My agent
        </a>
        <a class="button" href="/join" aria-current={current(['join'])}>
          Join
        </a>
      </header>
    </>
  );
}

function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="26" height="26" aria-hidden="true">
      <circle cx="16" cy="16" r="12" class="mark-hour" />
      <path d="M16 4a12 12 0 0 1 12 12" class="mark-now" />
      <circle cx="16" cy="16" r="2.6" class="mark-dot" />
    </svg>
  );
}

/** On every page: results of simulated prices tell nothing about real ones. */
export function PricesNotice() {
  const hello = useHello();
  if (hello?.warning == null) return null;
  return (
    <aside class="notice" aria-label="About the prices">
      <strong>Not real prices.</strong> {hello.warning}
    </aside>
  );
}

const SAID: Readonly<Record<Link, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  reconnecting: 'Reconnecting',
  offline: 'Offline',
};

/** Shown only when it lasts: each page connects for a moment. */
function LinkState() {
  const link = useLink();
  const [shown, setShown] = useState<Link>(link);
  useEffect(() => {
    const timer = setTimeout(() => setShown(link), link === 'live' ? 0 : 400);
    return () => clearTimeout(timer);
  }, [link]);
  return (
    <span class={`link ${shown}`} role="status">
      <i aria-hidden="true" />
      <span>{SAID[shown]}</span>
    </span>
  );
}
