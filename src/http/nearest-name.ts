/** The name with the fewest edits to `given`, the first by alphabet; undefined if all need too many for its length. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  let nearest: string | undefined;
  let fewest = Math.floor(given.length * 0.4) + 2;
  for (const name of names.toSorted()) {
    const edits = editsBetween(given, name, fewest - 1);
    if (edits < fewest) [nearest, fewest] = [name, edits];
  }
  return nearest;
}

/** The number of letters to add, remove, replace or swap with the next. A difference in case only is 1. Infinity above `most`. */
export function editsBetween(one: string, other: string, most: number): number {
  const [left, right] = [one.toLowerCase(), other.toLowerCase()];
  if (left === right) return one === other ? 0 : 1;
  if (Math.abs(left.length - right.length) > most) return Number.POSITIVE_INFINITY;
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const edits = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const kept = (last[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const isSwapped = column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      const swapped = isSwapped ? (before[column - 2] ?? kept) + 1 : kept;
      edits.push(Math.min((last[column] ?? 0) + 1, (edits[column - 1] ?? 0) + 1, kept, swapped));
    }
    if (edits.every((count) => count > most)) return Number.POSITIVE_INFINITY;
    [before, last] = [last, edits];
  }
  return last[right.length] ?? 0;
}
