import { mediansIn } from './quoted-ratios.ts';
import { markdown, type Result } from './results.ts';

/** The head of a column. */
const PROCESSOR = 'by processor time';

/** All medians of a run in one table. */
export function summaryOf(results: readonly Result[]): string {
  const lines = results.flatMap(({ name, text }) => {
    let place = -1;
    return text.split('\n').flatMap((line) => {
      const cells = line.replaceAll(/^\| | \|$/g, '').split(line.startsWith('|') ? ' | ' : /: | {2,}/);
      if (cells.includes('median')) place = cells.indexOf(PROCESSOR);
      return mediansIn(line).map((median) => [name, cells[0] ?? '', median, cells[place] ?? '']);
    });
  });
  return markdown([['row', 'what', 'median', PROCESSOR], ...lines]);
}
