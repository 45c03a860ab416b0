import { useEffect, useState } from 'preact/hooks';

import { isEmbed, type PageName, type Route } from './addresses.ts';
import { TITLES } from './titles.ts';
import { NowPage } from './pages/now.tsx';
import { Failed, Loading, Missing } from './parts/notes.tsx';
import { Shell } from './parts/shell.tsx';
import { NavigationProvider, type Page, useAddress } from './navigation.ts';
import { type Session, SessionProvider } from './session.ts';

/** The components of pages whose code is there. */
type Pages = Readonly<Partial<Record<PageName, Page>>>;
const FIRST_PAGE: Pages = { now: NowPage };

/** The page's component; all but the first page's are fetched when one of them is shown. */
async function pageOf(name: PageName): Promise<Page> {
  return name === 'now' ? NowPage : (await import('./pages/others.ts')).OTHERS[name];
}

interface AppProps {
  readonly session: Session;
  /** What is shown first; null where the address is none of the page's. */
  readonly first: Route | null;
  readonly atHand?: Pages;
}

/** The whole page. */
export function App({ session, first, atHand = FIRST_PAGE }: AppProps) {
  const navigation = useAddress(first);
  const { route } = navigation;
  useEffect(() => session.live.open(), [session]);
  const shown = route === null ? <Missing what="page" /> : <Shown route={route} atHand={atHand} />;
  return (
    <SessionProvider value={session}>
      <NavigationProvider value={navigation}>
        {route !== null && isEmbed(route.page) ? shown : <Shell>{shown}</Shell>}
      </NavigationProvider>
    </SessionProvider>
  );
}

interface Loaded {
  readonly name: PageName;
  readonly page: Page | null;
}

function Shown({ route, atHand }: { readonly route: Route; readonly atHand: Pages }) {
  const name = route.page;
  const [loaded, setLoaded] = useState<Loaded | null>(atHand[name] ? { name, page: atHand[name] } : null);
  const [turn, setTurn] = useState(0);
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
