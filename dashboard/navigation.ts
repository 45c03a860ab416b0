import { type ComponentType, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';

import { type Route, routeAt } from './addresses.ts';

export type Page = ComponentType<{ readonly route: Route }>;

/** Null for unknown addresses. */
interface Navigation {
  readonly route: Route | null;
  /** `replace` leaves no step back. */
  readonly go: (path: string, options?: { readonly replace?: boolean }) => void;
}

const NavigationContext = createContext<Navigation>({ route: null, go: () => {} });
export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  return useContext(NavigationContext);
}

/** Begins at `first`, follows the address bar, and handles clicks on the page's own links without a reload. */
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
  return routeAt(link.pathname, link.search) === null ? null : link.pathname + link.search;
}

/** Null keeps the title. */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title;
  }, [title]);
}
