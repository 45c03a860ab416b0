/** The cells of a CSV file by RFC 4180, read strictly: a bare quote or a line without CR LF is an error. */
export function csvCells(text: string): string[][] {
  const lines: string[][] = [];
  let cells: string[] = [];
  const cell = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, found = '', end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`This is no CSV: ${text.slice(at, at + 60)}`);
    cells.push(found.startsWith('"') ? found.slice(1, -1).replaceAll('""', '"') : found);
    if (end === ',') continue;
    lines.push(cells);
    cells = [];
  }
  return lines;
}
