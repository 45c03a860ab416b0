/** A row of the table, and the quoted lines of its result. */
interface Quote {
  readonly row: string;
  readonly what: string;
  /** The required ratio, and the goal. */
  readonly asked: string;
  readonly lines: RegExp;
}

const TABLE = /^\| /;
/** For rows without a required ratio. */
const NOTHING = 'none';

const QUOTES: readonly Quote[] = [
  { row: 'P1', what: 'submissions a second, beside Express 5 with one INSERT', asked: '2.5 x, 3.5 x', lines: TABLE },
  {
    row: 'P2',
    what: 'the same, beside a prepared INSERT of 32 clients without HTTP',
    asked: '0.6 x, 1.0 x',
    lines: TABLE,
  },
  {
    row: 'P3',
    what: 'public GETs and their 304s, beside Express 5 `res.json`',
    asked: '1.2 x, 1.8 x (304: 1.5 x, 2 x)',
    lines: TABLE,
  },
  {
    row: 'P4',
    what: 'GETs of one agent or with rare parameters, up to 100 rows, beside the same',
    asked: '0.3 x, 0.6 x',
    lines: /^\| (?!.*1,000 rows)/,
  },
  { row: 'P5', what: 'a GraphQL document, beside Apollo Server as it comes', asked: '2 x, 4 x', lines: TABLE },
  {
    row: 'P6',
    what: 'nested documents, beside PostGraphile 5',
    asked: '1.2 x, 2.4 x',
    lines: /^\| (?!.*each time)/,
  },
  { row: 'P6', what: 'the same, executed each time', asked: '1.2 x', lines: /^\| .*each time/ },
  {
    row: 'P7',
    what: 'nested documents executed each time, beside SQL written by hand',
    asked: '0.5 x, 0.85 x',
    lines: /^\| .*each time/,
  },
  {
    row: 'P8',
    what: 'time of an event to 10,000 subscribers, beside a broadcast over `ws` (smaller is better)',
    asked: '1.2 x, 1.1 x',
    lines: /^feed /,
  },
  {
    row: 'P10',
    what: 'a million predictions resolved, beside two plain UPDATEs',
    asked: '4 x, 9 x',
    lines: /^\| processor time/,
  },
  { row: 'P11', what: 'requests with a key, beside the same without', asked: '0.7 x, 0.9 x', lines: TABLE },
  { row: 'P12', what: 'requests to several processes on one PostgreSQL, beside one', asked: NOTHING, lines: TABLE },
];

/** Medians: bold in tables; the first ratio in a fenced one. */
const MEDIAN = /\*\*([\d.,]+ x)\*\*|^feed\D*[\d.]+ +([\d.]+ x)/g;

/** From the least to the greatest median of each row of bench/results.md. */
export interface QuotedRatios {
  /** By plain names. */
  readonly readme: string;
  /** The ratios by the names of `npm run bench`, with the required ones. */
  readonly page: string;
}

export function quotedRatios(results: string): QuotedRatios {
  const rows = QUOTES.map((quote) => ({ ...quote, ratio: rangeOf(resultOf(results, quote.row), quote.lines) }));
  const goals = rows.filter(({ asked }) => asked !== NOTHING);
  return {
    readme: ['| what | ratio |', '|---|--:|', ...goals.map(({ what, ratio }) => `| ${what} | ${ratio} |`)].join('\n'),
    page: [
      '| row | what | must, goal | measured |',
      '|---|---|--:|--:|',
      ...rows.map(({ row, what, asked, ratio }) => `| ${row} | ${what} | ${asked} | ${ratio} |`),
    ].join('\n'),
  };
}

function resultOf(results: string, row: string): string {
  const [from, to] = [results.indexOf(`<!-- ${row} -->`), results.indexOf(`<!-- end of ${row} -->`)];
  if (from < 0 || to < from) throw new Error(`bench/results.md must have a place for ${row}`);
  return results.slice(from, to);
}

function rangeOf(result: string, lines: RegExp): string {
  const medians = result
    .split('\n')
    .filter((line) => lines.test(line))
    .flatMap(mediansIn)
    .toSorted((one, other) => Number.parseFloat(one) - Number.parseFloat(other));
  const [least, greatest] = [medians.at(0), medians.at(-1)];
  if (least === undefined || greatest === undefined) return '-';
  return least === greatest ? least : `${least.replace(' x', '')} to ${greatest}`;
}

export function mediansIn(line: string): readonly string[] {
  return [...line.matchAll(MEDIAN)].map(([, bold, fenced]) => bold ?? fenced ?? '');
}

const [BEGIN, END] = ['<!-- ratios -->', '<!-- end of ratios -->'];

/** Throws for a document without the markers. */
export function withRatios(document: string, table: string): string {
  const [from, to] = [document.indexOf(BEGIN), document.indexOf(END)];
  if (from < 0 || to < from) throw new Error(`The document must have ${BEGIN} and ${END}`);
  return `${document.slice(0, from + BEGIN.length)}\n\n${table}\n\n${document.slice(to)}`;
}
