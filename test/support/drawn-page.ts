import type { TestService } from './service.ts';

/** A page without JavaScript: as HTML, and as text. */
export async function drawnPage(
  { url }: Pick<TestService, 'url'>,
  path: string,
): Promise<{ html: string; text: string }> {
  const whole = await (await fetch(url + path)).text();
  const [, html = ''] = /<div id="page">(.*)<\/noscript><\/div>/s.exec(whole) ?? [];
  return { html, text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') };
}
