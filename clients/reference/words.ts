/** The first paragraph in one line. */
export function inOneLine(text: string): string {
  return (text.split('\n\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}
