/** The document's first block with `words`, with placeholders replaced by the user's own values. */
export function blockWith(document: string, words: string, own: Readonly<Record<string, string>> = {}): string {
  const blocks = [...document.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (found === undefined) throw new Error(`No block of the document has "${words}" in it`);
  return withOwn(found, own);
}

/** Replaces placeholders by the user's own values. */
export function withOwn(text: string, own: Readonly<Record<string, string>>): string {
  return Object.entries(own).reduce((changed, [theirs, ours]) => {
    if (!changed.includes(theirs)) throw new Error(`The text must have "${theirs}" in it, to be replaced: ${changed}`);
    return changed.replaceAll(theirs, ours);
  }, text);
}
