import { refused } from './errors.ts';

/** Maximum lengths in code points, without surrounding spaces. */
export const TEXT_LENGTHS = { rationale: 2000, model: 80, about: 280, url: 200 } as const;

/** Lines of text; null if blank. Throws BAD_REQUEST. */
export function rationaleOf(text: string): string | null {
  const lines = text.replaceAll('\r\n', '\n').trim();
  const rest = lines.replaceAll(/[\n\t]/g, ' ');
  checkPlain('rationale', rest, { given: text, but: ' but line breaks and tabs' });
  return lines || null;
}

/** One line of text; null if blank. Throws BAD_REQUEST. */
export function lineOf(name: 'model' | 'about', text: string): string | null {
  const line = text.trim();
  checkPlain(name, line, { given: text });
  return line || null;
}

/** Normalized, so that no address can imitate another; null if blank. Throws BAD_REQUEST. */
export function addressOf(text: string): string | null {
  const given = text.trim();
  if (given === '') return null;
  const url = given.isWellFormed() ? URL.parse(given) : null;
  const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
  if (isPlain && url.href.length <= TEXT_LENGTHS.url) return url.href;
  const mustBe = `an https address of up to ${TEXT_LENGTHS.url} characters without a name or password in it, such as https://example.com/bot`;
  throw refused('url', mustBe, text);
}

function checkPlain(
  name: Exclude<keyof typeof TEXT_LENGTHS, 'url'>,
  text: string,
  { given, but = '' }: { readonly given: string; readonly but?: string },
): void {
  const most = TEXT_LENGTHS[name];
  if (text.isWellFormed() && !/\p{Cc}/u.test(text) && isWithin(text, most)) return;
  const { length } = Array.from(given.trim());
  const mustBe = `up to ${most} characters of well-formed Unicode without control characters${but}`;
  throw refused(name, `${mustBe}; these are ${length}`, given);
}

/** Counts code points only where the length in UTF-16 leaves it open. */
function isWithin(text: string, most: number): boolean {
  return text.length <= most || (text.length <= 2 * most && Array.from(text).length <= most);
}
