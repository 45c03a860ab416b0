/** Such as `RankInterval` of `rank_interval` and `CurrentRound` of `currentRound`. */
export function pascalCased(word: string): string {
  return word
    .split('_')
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join('');
}

/** Such as `Entry` of `Entries`. */
export function singular(word: string): string {
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /[^s]s$/.test(word) && !word.endsWith('Holders') ? word.slice(0, -1) : word;
}

/** The first paragraph in one line. */
export function inOneLine(text: string): string {
  return (text.split('\n\n', 1)[0] ?? '').replaceAll(/\s+/g, ' ').trim();
}
