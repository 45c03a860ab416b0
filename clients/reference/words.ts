/** Such as `rotate_key` of `rotateKey`. */
export function snakeCased(word: string): string {
  return word.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The first paragraph in one line. */
export function inOneLine(text: string): string {
  return (text.split('\n\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}
