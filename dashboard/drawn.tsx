import { renderToString } from 'preact-render-to-string';

import { App, loadedPage } from './app.tsx';
import { codeShelf } from './code-shelf.ts';
import type { Drawn } from './document.ts';
import { Top } from './parts/shell.tsx';
import { openSession } from './session.ts';

/** Shared by all full renderings: parts that browsers load later are rendered at once here. */
const MISSED = new Set<() => Promise<unknown>>();
const CODE = codeShelf((load) => MISSED.add(load));

/**
 * The HTML that the scripts render again from the same answers. Elements have no inline styles, which the page's policy forbids: the
 * scripts set them.
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
  while (MISSED.size > 0) {
    await Promise.all([...MISSED].map((load) => CODE.fetch(load).then(() => MISSED.delete(load))));
    html = draw();
  }
  return unstyled(html);
}

function unstyled(html: string): string {
  return html.replaceAll(/ style="[^"]*"/g, '');
}

/** The header of documents. */
export function drawnTop(): string {
  return renderToString(<Top here="docs" />);
}
