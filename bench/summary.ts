import { mediansIn } from './quoted-ratios.ts';
import { markdown, type Result } from './results.ts';

/** The column of a table of ratios with those by processor time. */
const PROCESSOR = 3;

/** All medians of a run in one table. */
export function summaryOf(results: readonly Result[]): string {
  const lines = results.flatMap(({ name, text }) =>
    text.split('\n').flatMap((line) => {
      const cells = line.split(line.startsWith('|') ? ' | ' : /: | {2,}/).map((cell) => cell.replace(/^\| /, ''));
      const processor = line.startsWith('|') && cells[PROCESSOR]?.endsWith(' x') === true ? cells[PROCESSOR] : '';
      return mediansIn(line).map((median) => [name, cells[0] ?? '', median, processor]);
    }),
  );
  return markdown([['row', 'what', 'median', 'by processor time'], ...lines]);
}
