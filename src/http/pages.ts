/** What a page may do: run, show and ask what comes from this service, and nothing else; nobody shows it in a frame. */
const STRICT = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The policy of a page as a header's value, with what differs from the strict one, or is beside it. */
export function pagePolicy(more: Readonly<Record<string, string>> = {}): string {
  return Object.entries({ ...STRICT, ...more })
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** Text that means nothing in HTML, XML and their attributes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
