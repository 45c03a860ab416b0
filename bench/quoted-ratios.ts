/** A row of the README's table, and which lines of the row's result it quotes. */
interface Quote {
  readonly row: string;
  readonly what: string;
  readonly lines: RegExp;
}

const TABLE = /^\| /;

const QUOTES: readonly Quote[] = [
  { row: 'P1', what: 'submissions a second, beside Express 5 with one INSERT', lines: TABLE },
  { row: 'P2', what: 'the same, beside a prepared INSERT of 32 clients without HTTP', lines: TABLE },
  { row: 'P3', what: 'public GETs and their 304s, beside Express 5 `res.json`', lines: TABLE },
  {
    row: 'P4',
    what: 'GETs of one agent or with rare parameters, up to 100 rows, beside the same',
    lines: /^\| (?!.*1,000 rows)/,
  },
  { row: 'P5', what: 'a GraphQL document, beside Apollo Server as it comes', lines: TABLE },
  { row: 'P6', what: 'nested documents, beside PostGraphile 5', lines: /^\| (?!.*each time)/ },
  { row: 'P6', what: 'the same, executed each time', lines: /^\| .*each time/ },
  { row: 'P7', what: 'nested documents executed each time, beside SQL written by hand', lines: /^\| .*each time/ },
  {
    row: 'P8',
    what: 'time of an event to 10,000 subscribers, beside a broadcast over `ws` (smaller is better)',
    lines: /^feed /,
  },
  { row: 'P10', what: 'a million predictions resolved, beside two plain UPDATEs', lines: /^\| processor time/ },
  { row: 'P11', what: 'requests with a key, beside the same without', lines: TABLE },
];

/** The medians: bold in tables; in a fenced one the first ratio. */
const MEDIAN = /\*\*([\d.,]+ x)\*\*|^feed\D*[\d.]+ +([\d.]+ x)/g;

/** The README's table, of what docs/performance.md has between its markers: from the least median of each row to the greatest. */
export function quotedRatios(performance: string): string {
  const rows = QUOTES.map(
    ({ row, what, lines }) => `| ${row} | ${what} | ${rangeOf(resultOf(performance, row), lines)} |`,
  );
  return ['| row | what | ratio |', '|---|---|--:|', ...rows].join('\n');
}

function resultOf(performance: string, row: string): string {
  const [from, to] = [performance.indexOf(`<!-- ${row} -->`), performance.indexOf(`<!-- end of ${row} -->`)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md must have a place for ${row}`);
  return performance.slice(from, to);
}

function rangeOf(result: string, lines: RegExp): string {
  const medians = result
    .split('\n')
    .filter((line) => lines.test(line))
    .flatMap((line) => [...line.matchAll(MEDIAN)].map(([, bold, fenced]) => bold ?? fenced ?? ''))
    .toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other));
  const [least, greatest] = [medians.at(0), medians.at(-1)];
  if (least === undefined || greatest === undefined) return '-';
  return least === greatest ? least : `${least.replace(' x', '')} to ${greatest}`;
}

const [BEGIN, END] = ['<!-- ratios -->', '<!-- end of ratios -->'];

/** The README with this table between its markers. Throws where there are none. */
export function withRatios(readme: string, table: string): string {
  const [from, to] = [readme.indexOf(BEGIN), readme.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`README.md must have ${BEGIN} and ${END}`);
  return `${readme.slice(0, from + BEGIN.length)}\n\n${table}\n\n${readme.slice(to)}`;
}
