import { renderToString } from 'preact-render-to-string';

import { App } from './app.tsx';
import type { Drawn } from './document.ts';
import { NowPage } from './pages/now.tsx';
import { OTHERS } from './pages/others.ts';
import { openSession } from './session.ts';

const PAGES = { now: NowPage, ...OTHERS };

/**
 * The page as HTML: the elements that its scripts draw first of the same answers, and then go on with. For the service,
 * where nothing is connected and no time passes. Without styles of single elements, which the page's policy forbids in
 * HTML: the scripts set them.
 */
export function drawn({ route, origin, answers, isBrief }: Drawn): string {
  const session = openSession({ origin, first: answers, steadyMs: () => 0, isBrief });
  return renderToString(<App session={session} first={route} atHand={PAGES} />).replaceAll(/ style="[^"]*"/g, '');
}
