import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { type Route, routeAt } from './addresses.ts';
import { TITLES, UNKNOWN } from './titles.ts';

export type Page = ComponentType<{ readonly route: Route }>;

/** Null for unknown addresses. */
interface Navigation {
  readonly route: Route | null;
  /** The number of changes of page; filters and tabs, which replace the address, do not count. */
  readonly moves: number;
  /** `replace` leaves no step back. */
  readonly go: (path: string, options?: { readonly replace?: boolean }) => void;
}

const NavigationContext = createContext<Navigation>({ route: null, moves: 0, go: () => {} });
export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  return useContext(NavigationContext);
}

/** Begins at `first`, follows the address bar, and handles clicks on the page's own links without a reload. */
export function useAddress(first: Route | null): Navigation {
  const [route, setRoute] = useState(first);
  const [moves, setMoves] = useState(0);
  const moved = (event?: Event): void => {
    const next = present();
    setRoute((before) => {
      // Within a page the browser moves the focus.
      if (event && JSON.stringify(next) === JSON.stringify(before)) return before;
      document.title = next === null ? UNKNOWN : TITLES[next.page];
      setMoves((count) => count + 1);
      return next;
    });
  };
  useEffect(() => {
    const clicked = (event: MouseEvent): void => {
      const path = ownPath(event);
      if (path === null) return;
      event.preventDefault();
      history.pushState(null, '', path);
      window.scrollTo(0, 0);
      moved();
    };
    window.addEventListener('popstate', moved);
    document.addEventListener('click', clicked);
  }, []);
  const go: Navigation['go'] = (path, { replace = false } = {}) => {
    history[replace ? 'replaceState' : 'pushState'](null, '', path);
    if (replace) setRoute(present());
    else moved();
  };
  return { route, moves, go };
}

export function present(): Route | null {
  return routeAt(location.pathname, location.search);
}

/** Null for clicks that request a tab or a download, and for foreign links. */
function ownPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return null;
  // In another site's frame, links open outside the frame.
  if (document.querySelector('base') !== null) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return null;
  if (link.hash !== '' && link.pathname === location.pathname) return null;
  return routeAt(link.pathname, link.search) === null ? null : link.pathname + link.search + link.hash;
}

/** Null keeps the title. */
export function useTitle(title: string | null): void {
  const { route } = useNavigation();
  useEffect(() => {
    if (title !== null) document.title = title;
  }, [title, route]);
}

/** Keyboards and screen readers continue at the page's heading, or at `place`. False if there is none yet. */
export function focusHeading(place = document.querySelector<HTMLElement>('main h1')): boolean {
  if (place === null) return false;
  place.tabIndex = -1;
  place.focus({ preventScroll: place.matches('h1') });
  return true;
}

/** After each change of page focuses the part that the address names, or the heading, as soon as it is there. */
export function useArrivals(moves: number): void {
  useEffect(() => {
    const arrive = (): boolean => focusHeading(document.getElementById(location.hash.slice(1)) ?? undefined);
    if (moves === 0 || arrive()) return undefined;
    const watch = new MutationObserver(() => arrive() && watch.disconnect());
    watch.observe(document.body, { childList: true, subtree: true });
    return () => watch.disconnect();
  }, [moves]);
}
