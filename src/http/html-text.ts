export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Strings are escaped, `Html` is kept, lists are joined; null, undefined and false are empty; other objects become JSON. */
export function markup(parts: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(parts.map((part, index) => part + (index < values.length ? htmlOf(values[index]) : '')).join(''));
}

function htmlOf(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(htmlOf).join('');
  if (value == null || value === false) return '';
  if (value instanceof Date) return value.toISOString();
  return escaped(typeof value === 'string' ? value : JSON.stringify(value));
}
