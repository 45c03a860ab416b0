/** A block of a document, the first that `words` are in, as a user would copy it; and what stands for the user's own. */
export function blockWith(document: string, words: string, own: Readonly<Record<string, string>> = {}): string {
  const blocks = [...document.matchAll(/^```\w+\n([^]*?)^```$/gm)].map(([, block = '']) => block);
  const found = blocks.find((block) => block.includes(words));
  if (found === undefined) throw new Error(`No block of the document has "${words}" in it`);
  return Object.entries(own).reduce((block, [theirs, ours]) => {
    if (!block.includes(theirs)) throw new Error(`The block must have "${theirs}" in it, to be replaced: ${block}`);
    return block.replaceAll(theirs, ours);
  }, found);
}
