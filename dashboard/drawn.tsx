import { renderToString } from 'preact-render-to-string';

import { App, loadedPage } from './app.tsx';
import { codeShelf } from './code-shelf.ts';
import type { Drawn } from './document.ts';
import { Top } from './parts/shell.tsx';
import { openSession } from './session.ts';

/** Of all drawings: parts that come later in a browser stand in a drawing like all others. */
const CODE = codeShelf();

/**
 * The page as HTML: the elements that its scripts draw first of the same answers, and then go on with. For the service,
 * where nothing is connected and no time passes. Without styles of single elements, which the page's policy forbids in
 * HTML: the scripts set them.
 */
export async function drawn({ route, origin, answers, isBrief }: Drawn): Promise<string> {
  const loaded = await loadedPage(route);
  const code = isBrief ? codeShelf() : CODE;
  const draw = (): string => {
    const session = openSession({ origin, first: answers, steadyMs: () => 0, isBrief, code });
    return renderToString(<App session={session} first={route} loaded={loaded} />);
  };
  let html = draw();
  if (isBrief) return unstyled(html);
  while (await code.fetchMissed()) html = draw();
  return unstyled(html);
}

function unstyled(html: string): string {
  return html.replaceAll(/ style="[^"]*"/g, '');
}

/** What stands above the documents. */
export function drawnTop(): string {
  return renderToString(<Top here="docs" />);
}
