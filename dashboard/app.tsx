import { useCallback, useEffect, useState } from 'preact/hooks';

import { isEmbed, type PageName, type Route } from './addresses.ts';
import { PAGES } from './pages/pages.ts';
import { Failed, Loading, Missing } from './parts/notes.tsx';
import { Shell } from './parts/shell.tsx';
import { NavigationProvider, type Page, useAddress } from './navigation.ts';
import { type Session, SessionProvider, useBack } from './session.ts';

/** Without a component the page's code could not be fetched. */
interface Loaded {
  readonly name: PageName;
  readonly page: Page | null;
}

export async function loadedPage(route: Route | null): Promise<Loaded | null> {
  if (route === null) return null;
  const name = route.page;
  try {
    const pages = await PAGES[name]();
    return { name, page: pages[name] ?? pages.Page ?? null };
  } catch {
    return { name, page: null };
  }
}

interface AppProps {
  readonly session: Session;
  /** Null for unknown addresses. */
  readonly first: Route | null;
  readonly loaded: Loaded | null;
}

export function App({ session, first, loaded }: AppProps) {
  const navigation = useAddress(first);
  const { route } = navigation;
  useEffect(() => session.live.open(), [session]);
  const shown = route === null ? <Missing what="page" /> : <Shown route={route} first={loaded} />;
  return (
    <SessionProvider value={session}>
      <NavigationProvider value={navigation}>
        {route !== null && isEmbed(route.page) ? shown : <Shell>{shown}</Shell>}
      </NavigationProvider>
    </SessionProvider>
  );
}

function Shown({ route, first }: { readonly route: Route; readonly first: Loaded | null }) {
  const name = route.page;
  const [loaded, setLoaded] = useState(first);
  const [turn, setTurn] = useState(0);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  useBack(again);
  useEffect(() => {
    let isOver = false;
    void loadedPage(route).then((page) => isOver || setLoaded(page));
    return () => void (isOver = true);
  }, [name, turn]);
  if (loaded === null || loaded.name !== name) return <Loading />;
  if (loaded.page === null) return <Failed error={null} again={again} />;
  return <loaded.page route={route} key={`${name} ${route.period ?? route.id}`} />;
}
