/** Text that means nothing in HTML, XML and their attributes. */
export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** HTML with values in it: texts are escaped, HTML stays, lists are joined, null, undefined and false are nothing, other objects are JSON. */
export function markup(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.map((part, place) => part + (place < values.length ? htmlOf(values[place]) : '')).join(''));
}

function htmlOf(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (value == null || value === false) return '';
  if (value instanceof Date) return value.toISOString();
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}
