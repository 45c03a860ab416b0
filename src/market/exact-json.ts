/**
 * Reads JSON with every number as the text that stands there, so that no digit is lost: `0.10000000000000000001` stays
 * what it is, and `1e5` stays `"1e5"`. Throws `SyntaxError` on what is no JSON.
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    if (context?.source === undefined) throw new TypeError('this JavaScript engine does not show the text of a number');
    return context.source;
  });
}
