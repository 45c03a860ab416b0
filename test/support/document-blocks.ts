/** A block of a document, the first that `words` are in, as a user would copy it; and what stands for the user's own. */
export function blockWith(document: string, words: string, own: Readonly<Record<string, string>> = {}): string {
  const blocks = [...document.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (found === undefined) throw new Error(`No block of the document has "${words}" in it`);
  return withOwn(found, own);
}

/** A text in which the user's own stands for what it has in its place. */
export function withOwn(text: string, own: Readonly<Record<string, string>>): string {
  return Object.entries(own).reduce((changed, [theirs, ours]) => {
    if (!changed.includes(theirs)) throw new Error(`The text must have "${theirs}" in it, to be replaced: ${changed}`);
    return changed.replaceAll(theirs, ours);
  }, text);
}
