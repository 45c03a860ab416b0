import { readFileSync, writeFileSync } from 'node:fs';

import { buildSchema, isEnumType } from 'graphql';

import { GRANTS } from '../src/doctor/grants.ts';
import type { ExportList } from '../src/export/export-list.ts';
import { EXPORT_LISTS } from '../src/export/lists.ts';
import { statusOf } from '../src/http/errors.ts';
import { LIMITS } from '../src/limits.ts';
import { EVENT_PAYLOADS, SENT_KINDS } from '../src/openapi/events.ts';
import { inWords } from '../src/openapi/responses.ts';
import { ENDPOINTS } from '../src/rest/endpoints.ts';
import { optionText } from '../src/operating/command-line.ts';
import { ADMIN_ACTIONS, ADMIN_LISTS } from '../src/rules/admin-actions.ts';
import { ASSETS } from '../src/rules/assets.ts';
import { ERROR_REASONS, REASONS } from '../src/rules/errors.ts';
import { QUESTION_TABLE } from '../src/rules/questions/question-table.ts';
import { QUESTION_TYPES } from '../src/rules/questions/question.ts';
import { CONFIDENCE_BANDS, pnlUsd } from '../src/rules/scoring.ts';

/* Writes the guides' tables from the code, between markers; a test compares them. */

const fileOf = (path: string): URL => new URL(`../${path}`, import.meta.url);
const schema = buildSchema(readFileSync(fileOf('schema.graphql'), 'utf8'));

/** Documents with tables. */
export const TABLED = [
  'docs/agents.md',
  'docs/dashboards.md',
  'docs/analysts.md',
  'docs/security.md',
  'docs/operating-reference.md',
];

/** By the marker's name. */
export const TABLES: Readonly<Record<string, () => string>> = {
  questions,
  points,
  pnl,
  limits,
  errors,
  events,
  grants,
  actions,
  looks,
  export_shared: sharedColumns,
  ...Object.fromEntries(EXPORT_LISTS.open.map((list) => [`export_${list.name}`, () => columnsOf(list)])),
};

/** Throws for an unknown marker. */
export function withTables(text: string): string {
  return text.replaceAll(/(<!-- table: (\w+) -->\n).*?(<!-- end -->)/gs, (_, begin, name, end) => {
    const table = TABLES[name];
    if (table === undefined) throw new Error(`There is no table ${name}; there are ${Object.keys(TABLES).join(', ')}`);
    return `${begin}\n${table()}\n\n${end}`;
  });
}

type Cells = readonly (string | number)[];

function tableOf(heads: readonly string[], rows: readonly Cells[]): string {
  const [head = '', ...lines] = [heads, ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [head, `|${'---|'.repeat(heads.length)}`, ...lines].join('\n');
}

function described(type: string): ReadonlyMap<string, string> {
  const found = schema.getType(type);
  if (!isEnumType(found)) throw new Error(`The schema has no enum ${type}`);
  return new Map(found.getValues().map(({ name, description }) => [name, description?.replaceAll('\n', ' ') ?? '']));
}

const ABOUT = {
  pair: 'two assets',
  foursome: 'four assets',
  all: 'all eight',
  one: 'one asset',
  one_of_all: 'one asset',
};

function questions(): string {
  const sense = described('QuestionType');
  return tableOf(
    ['type', 'asks', 'about', 'answer'],
    QUESTION_TYPES.map((type) => {
      const { about, format } = QUESTION_TABLE[type];
      return [`\`${type}\``, sense.get(type) ?? '', ABOUT[about], format === 'boolean' ? '`YES` or `NO`' : 'an asset'];
    }),
  );
}

function points(): string {
  const rows = CONFIDENCE_BANDS.map(({ from, correct, wrong }, place) => {
    const to = (CONFIDENCE_BANDS[place - 1]?.from ?? 101) - 1;
    return [`${from}-${to}`, `+${correct}`, wrong];
  });
  return tableOf(['confidence', 'right', 'wrong'], rows);
}

function pnl(): string {
  const confidences = [50, 60, 70, 80, 90, 100];
  const row = (name: string, choices: number, correct: boolean) => [
    name,
    ...confidences.map((confidence) => pnlUsd(confidence, choices, correct)),
  ];
  return tableOf(
    ['USD at confidence', ...confidences.map(String)],
    [
      row('two choices, right', 2, true),
      row('two choices, wrong', 2, false),
      row('eight choices, right', 8, true),
      row('eight choices, wrong', 8, false),
    ],
  );
}

/** Endpoints with the same limit share a row, as many as a cell has room for. The most frequent limit is that of all others. */
function limits(): string {
  const paths = new Map<string, string[]>();
  for (const { method, path, limit } of ENDPOINTS) {
    const words = inWords(limit);
    paths.set(words, [...(paths.get(words) ?? []), `\`${method} ${path}\``]);
  }
  const [others, ...own] = [...paths].toSorted(([, one], [, other]) => other.length - one.length);
  const rows = own.flatMap(([words, all]) => cellsOf(all).map((cell) => [cell, words]));
  return tableOf(
    ['endpoints', 'limit'],
    [
      ...rows,
      [
        'all others; starting a stream of `GET /api/events`, on the budget of `GET /api/rounds/current`',
        others?.[0] ?? '',
      ],
      ['`GET /api/export/...`', inWords('exports')],
      ['`/graphql`, requests and messages of sockets', inWords('graphqlRequest')],
      ['`/graphql`, asking for the schema', inWords('introspection')],
      ['queries, by `extensions.cost.used`', `a cost of ${LIMITS.queryCost.requests} per minute and address`],
      ['unknown keys', `${LIMITS.unknownKeys.requests} requests per minute and address`],
    ],
  );
}

const LONGEST_CELL = 290;

function cellsOf(items: readonly string[]): string[] {
  let cells: string[] = [];
  for (const item of items) {
    const last = cells.at(-1);
    const longer = `${last}, ${item}`;
    cells = last === undefined || longer.length > LONGEST_CELL ? [...cells, item] : [...cells.slice(0, -1), longer];
  }
  return cells;
}

function errors(): string {
  return tableOf(
    ['status', '`code`, GraphQL `reason`', 'means'],
    REASONS.map((reason) => [statusOf(reason), `\`${reason}\``, ERROR_REASONS[reason].meaning]),
  );
}

function events(): string {
  const when = described('EventKind');
  return tableOf(
    ['kind', 'when', '`payload`'],
    SENT_KINDS.map((kind) => {
      const fields = Object.entries(EVENT_PAYLOADS[kind]).map(([name]) => `\`${name}\``);
      return [`\`${kind}\``, when.get(kind) ?? '', fields.length === 0 ? 'empty' : fields.join(', ')];
    }),
  );
}

function grants(): string {
  const statements = GRANTS.map(
    ({ why, rights, tables }) => `-- ${why}\ngrant ${rights} on ${tables} to hourcast_runtime;`,
  );
  return ['```sql', ...statements, '```'].join('\n');
}

function actions(): string {
  const rows = ADMIN_ACTIONS.map(({ name, of, summary, takes }) => {
    const options = takes.map((field) => ` ${optionText(field)}`);
    const body = takes.map((field) => `, \`${field}\``).join('');
    return [
      name,
      `\`${name} <id> --reason ...${options.join('')}\``,
      `\`POST /admin/${of}/{id}/${name}\`${body}`,
      summary,
    ];
  });
  return tableOf(['action', 'behind `npx hourcast admin`', 'HTTP', 'does'], rows);
}

function looks(): string {
  const rows = ADMIN_LISTS.map(({ name, summary, takes }) => {
    const query = takes.length === 0 ? '' : `?${takes.map((field) => `${field}=`).join('&')}`;
    return [`\`${name}\``, `\`GET /admin/${name}${query}\``, summary];
  });
  return tableOf(['list', 'HTTP', 'shows'], rows);
}

type Column = ExportList['columns'][number];

const keyOf = ({ name, kind, description }: Column): string => `${name} ${kind} ${description}`;

/** The lists that have each column, by its key. */
const LISTS_OF_COLUMN = Map.groupBy(
  EXPORT_LISTS.open.flatMap(({ name, columns }) =>
    columns.map((one) => ({ list: name, column: one, key: keyOf(one) })),
  ),
  ({ key }) => key,
);

const isShared = (column: Column): boolean => (LISTS_OF_COLUMN.get(keyOf(column))?.length ?? 0) > 1;

/** Columns that several exports have, once. */
function sharedColumns(): string {
  const rows = [...LISTS_OF_COLUMN.values()].flatMap((all) => {
    const [first] = all;
    if (first === undefined || all.length === 1) return [];
    const { name, kind, description } = first.column;
    return [[`\`${name}\` ${kind}`, description, inWhichLists(all.map(({ list }) => list))]];
  });
  return tableOf(['column', 'holds', 'in'], rows);
}

/** The lists by name, or the others if these are fewer. */
function inWhichLists(names: readonly string[]): string {
  const others = EXPORT_LISTS.open.map(({ name }) => name).filter((name) => !names.includes(name));
  return others.length < names.length ? `all but ${others.join(', ')}` : names.join(', ');
}

/** The columns of one export alone; those that each asset has, and neighbours of one description, once. */
function columnsOf({ columns }: ExportList): string {
  const [first, ...others] = ASSETS.map((asset) => asset.toLowerCase());
  const shown = columns.filter(
    (column) => !isShared(column) && !others.some((symbol) => column.name.split('_').includes(symbol)),
  );
  const rows = shown.map(({ name, kind, description }) => {
    const written = name.replace(new RegExp(`(?<=^|_)${first}_`), '<sym>_');
    return {
      written: `\`${written}\``,
      kind,
      text: written === name ? description : description.replace(ASSETS[0], 'An asset'),
    };
  });
  const groups = Map.groupBy(rows, ({ kind, text }) => `${kind} ${text}`);
  return tableOf(
    ['column', 'holds'],
    [...groups.values()].map((all) => [
      `${all.map(({ written }) => written).join(', ')} ${all[0]?.kind}`,
      all[0]?.text ?? '',
    ]),
  );
}

if (process.argv[1] === import.meta.filename) {
  for (const path of TABLED) writeFileSync(fileOf(path), withTables(readFileSync(fileOf(path), 'utf8')));
}
