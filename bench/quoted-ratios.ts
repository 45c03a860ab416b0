/** A row of the table, and the quoted lines of its result. */
interface Quote {
  readonly row: string;
  readonly what: string;
  /** The required ratio, and the goal. */
  readonly goals: string;
  readonly lines: RegExp;
  /** The README has it too. */
  readonly isShort?: true;
}

const TABLE = /^\| /;
const QUOTES: readonly Quote[] = [
  {
    row: 'P1',
    what: 'submissions a second, beside Express 5 with one INSERT',
    goals: '2 x, 2.5 x',
    lines: TABLE,
    isShort: true,
  },
  {
    row: 'P2',
    what: 'the same, beside a prepared INSERT of 32 clients without HTTP',
    goals: '0.6 x, 0.8 x',
    lines: TABLE,
    isShort: true,
  },
  {
    row: 'P3',
    what: 'public GETs, beside Express 5 `res.json`',
    goals: '1.3 x, 1.8 x',
    lines: /^\| (?!.*304)/,
    isShort: true,
  },
  { row: 'P3', what: 'their 304s, beside the same', goals: '1.5 x, 2 x', lines: /^\| .*304/ },
  { row: 'P4', what: 'own profiles, beside the same', goals: '0.35 x, 0.6 x', lines: /^\| \/api\/me/ },
  { row: 'P4', what: "an agent's profile, beside the same", goals: '0.6 x, 1 x', lines: /^\| \/api\/agents/ },
  {
    row: 'P4',
    what: 'pages of up to 100 rows with rare parameters, beside the same',
    goals: '0.8 x, 1 x',
    lines: /^\| .*[^\d,]\d{2,3} rows/,
  },
  {
    row: 'P4',
    what: 'pages of 1,000 rows, beside the same',
    goals: '0.4 x, 0.6 x',
    lines: /^\| .*1,000 rows/,
    isShort: true,
  },
  {
    row: 'P5',
    what: 'a GraphQL document, beside Apollo Server as it comes',
    goals: '2 x, 4 x',
    lines: TABLE,
    isShort: true,
  },
  {
    row: 'P6',
    what: 'nested documents, beside PostGraphile 5',
    goals: '1.2 x, 2.4 x',
    lines: /^\| (?!.*each time)/,
    isShort: true,
  },
  { row: 'P6', what: 'the same, executed each time', goals: '1.2 x', lines: /^\| .*each time/ },
  {
    row: 'P7',
    what: 'nested documents executed each time, beside SQL written by hand',
    goals: '0.5 x, 0.85 x',
    lines: /^\| .*each time/,
  },
  {
    row: 'P8',
    what: 'time of an event to 10,000 subscribers, beside a broadcast over `ws` (smaller is better)',
    goals: '1.15 x, 1.1 x',
    lines: /^feed /,
    isShort: true,
  },
  {
    row: 'P10',
    what: '200,000 predictions resolved, by processor time, beside two plain UPDATEs',
    goals: '1.5 x, 2 x',
    lines: /^\| processor time/,
    isShort: true,
  },
  {
    row: 'P11',
    what: 'a refused key, beside no key',
    goals: '0.85 x, 1 x',
    lines: /^\| POST/,
  },
  { row: 'P11', what: 'a public read with a key, beside without', goals: '0.95 x, 1 x', lines: /^\| \/api\/agents/ },
  { row: 'P11', what: 'an own profile, beside a public one', goals: '0.7 x, 0.9 x', lines: /^\| \/api\/me/ },
  {
    row: 'P12',
    what: 'submissions to 2, 4 and 8 processes on one PostgreSQL, beside one',
    goals: '0.9, 0.8, 0.7 x; 1, 0.95, 0.9 x',
    lines: /^\| POST/,
  },
  { row: 'P12', what: 'kept reads of several processes, beside one', goals: '1 x', lines: /^\| a kept GET/ },
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
  const rows = QUOTES.map((quote) => ({ ...quote, ratio: rangeOf(partOf(results, quote.row), quote.lines) }));
  return {
    readme: [
      '| what | ratio |',
      '|---|--:|',
      ...rows.filter(({ isShort }) => isShort).map(({ what, ratio }) => `| ${what} | ${ratio} |`),
    ].join('\n'),
    page: [
      '| row | what | must, goal | measured |',
      '|---|---|--:|--:|',
      ...rows.map(({ row, what, goals, ratio }) => `| ${row} | ${what} | ${goals} | ${ratio} |`),
    ].join('\n'),
  };
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

/** The document with a text between the markers of `name`. Throws for a document without them. */
export function withPart(document: string, name: string, text: string): string {
  const { from, to } = markersOf(document, name);
  return `${document.slice(0, from)}\n\n${text}\n\n${document.slice(to)}`;
}

function partOf(document: string, name: string): string {
  const { from, to } = markersOf(document, name);
  return document.slice(from, to);
}

function markersOf(document: string, name: string) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`The document must have ${begin} and ${end}`);
  return { from: from + begin.length, to };
}
