/** Maximum widths in the bold face of the previews' font, in units of its size. */
const LETTER_WIDTHS: readonly (readonly [RegExp, number])[] = [
  [/[Ii.,:;'|/()\-·jlfrt ]/, 0.49],
  [/[a-ln-vxyz0-9_$?–]/, 0.72],
  [/[A-LN-VX-Zw+−]/, 0.93],
];
const WIDEST = 1.11;
const MAX_LINES = 2;

function widthOf(text: string): number {
  const widths = Array.from(text, (letter) => LETTER_WIDTHS.find(([letters]) => letters.test(letter))?.[1] ?? WIDEST);
  return widths.reduce((sum, width) => sum + width, 0);
}

/** As much text as surely fits into `room` (in units of the font's size), cut between words if possible, with an ellipsis. */
export function fitted(text: string, room: number): string {
  if (widthOf(text) <= room) return text;
  const kept = longestWithin(text, room - WIDEST);
  return `${kept.replace(/ \S*$/, '')}…`;
}

/** At most two lines that surely fit into `room`, broken between words if possible; the second is cut off. */
export function fittedLines(text: string, room: number): readonly string[] {
  const lines: string[] = [];
  for (let left = text; left !== '';) {
    if (lines.length === MAX_LINES - 1) return [...lines, fitted(left, room)];
    const filled = longestWithin(left, room);
    const isWhole = filled.length === left.length || left[filled.length] === ' ';
    const line = isWhole ? filled : filled.replace(/ \S*$/, '');
    lines.push(line);
    left = left.slice(line.length).trimStart();
  }
  return lines;
}

function longestWithin(text: string, room: number): string {
  let end = text.length;
  while (widthOf(text.slice(0, end)) > room) end -= 1;
  return text.slice(0, end);
}
