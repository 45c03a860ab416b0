import { useEffect, useState } from 'preact/hooks';

import { isEmbed, type PageName, type Route } from './addresses.ts';
import { TITLES } from './titles.ts';
import { NowPage } from './pages/now.tsx';
import { Failed, Loading, Missing } from './parts/notes.tsx';
import { Shell } from './parts/shell.tsx';
import { NavigationProvider, type Page, useAddress } from './navigation.ts';
import { type Session, SessionProvider } from './session.ts';

/** The page's component; all but the first page's are fetched when one of them is shown. */
async function pageOf(name: PageName): Promise<Page> {
  return name === 'now' ? NowPage : (await import('./pages/others.ts')).OTHERS[name];
}

/** The whole page. */
export function App({ session }: { readonly session: Session }) {
  const navigation = useAddress();
  const { route } = navigation;
  useEffect(() => session.live.open(), [session]);
  return (
    <SessionProvider value={session}>
      <NavigationProvider value={navigation}>
        {route !== null && isEmbed(route.page) ? (
          <Shown route={route} />
        ) : (
          <Shell>{route === null ? <Missing what="page" /> : <Shown route={route} />}</Shell>
        )}
      </NavigationProvider>
    </SessionProvider>
  );
}

interface Loaded {
  readonly name: PageName;
  readonly page: Page | null;
}

function Shown({ route }: { readonly route: Route }) {
  const [loaded, setLoaded] = useState<Loaded | null>(route.page === 'now' ? { name: 'now', page: NowPage } : null);
  const [turn, setTurn] = useState(0);
  const name = route.page;
  useEffect(() => {
    let isOver = false;
    document.title = TITLES[name];
    pageOf(name).then(
      (page) => isOver || setLoaded({ name, page }),
      () => isOver || setLoaded({ name, page: null }),
    );
    return () => void (isOver = true);
  }, [name, turn]);
  if (loaded === null || loaded.name !== name) return <Loading />;
  if (loaded.page === null) return <Failed error={null} again={() => setTurn(turn + 1)} />;
  return <loaded.page route={route} key={`${name} ${route.period ?? route.id}`} />;
}
