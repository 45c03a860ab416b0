import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { type Route, routeAt } from './addresses.ts';

/** What shows one route. */
export type Page = ComponentType<{ readonly route: Route }>;

/** What the address bar shows; null where the address is none of the page's. */
interface Navigation {
  readonly route: Route | null;
  /** Goes to an address of the page; `replace` leaves no step back. */
  readonly go: (path: string, options?: { readonly replace?: boolean }) => void;
}

const NavigationContext = createContext<Navigation>({ route: null, go: () => {} });
export const NavigationProvider = NavigationContext.Provider;

/** Where the visitor is, and how to go elsewhere. */
export function useNavigation(): Navigation {
  return useContext(NavigationContext);
}

/**
 * Begins at `first`, follows the address bar, and turns clicks on the page's own links into steps that load nothing anew.
 */
export function useAddress(first: Route | null): Navigation {
  const [route, setRoute] = useState(first);
  useEffect(() => {
    const moved = (): void => setRoute(present());
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
    return () => {
      window.removeEventListener('popstate', moved);
      document.removeEventListener('click', clicked);
    };
  }, []);
  const go: Navigation['go'] = (path, { replace = false } = {}) => {
    history[replace ? 'replaceState' : 'pushState'](null, '', path);
    setRoute(present());
  };
  return { route, go };
}

/** The route that the address bar shows. */
export function present(): Route | null {
  return routeAt(location.pathname, location.search);
}

/** The address of a link of the page's own that was clicked without asking for a tab or a download; otherwise null. */
function ownPath(event: MouseEvent): string | null {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return null;
  // In a frame of another site links lead out of it.
  if (document.querySelector('base') !== null) return null;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.origin !== location.origin || link.target !== '' || link.hasAttribute('download'))
    return null;
  if (link.hash !== '' && link.pathname === location.pathname) return null;
  return routeAt(link.pathname, link.search) === null ? null : link.pathname + link.search;
}

/** Gives the tab a title of its own, once there is one. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title;
  }, [title]);
}
