import { renderToString } from 'preact-render-to-string';

import { App, loadedPage } from './app.tsx';
import type { Drawn } from './document.ts';
import { Top } from './parts/shell.tsx';
import { openSession } from './session.ts';

/**
 * The page as HTML: the elements that its scripts draw first of the same answers, and then go on with. For the service,
 * where nothing is connected and no time passes. Without styles of single elements, which the page's policy forbids in
 * HTML: the scripts set them.
 */
export async function drawn({ route, origin, answers, isBrief }: Drawn): Promise<string> {
  const session = openSession({ origin, first: answers, steadyMs: () => 0, isBrief });
  const loaded = await loadedPage(route);
  return renderToString(<App session={session} first={route} loaded={loaded} />).replaceAll(/ style="[^"]*"/g, '');
}

/** What stands above the documents. */
export function drawnTop(): string {
  return renderToString(<Top here="docs" />);
}
