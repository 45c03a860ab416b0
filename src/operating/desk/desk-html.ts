import { type Html, markup } from '../../http/html-text.ts';
import { ADMIN_ACTIONS, ADMIN_FIELDS, type AdminAction, LONGEST_REASON } from '../../rules/admin-actions.ts';
import type { AdminLists } from '../admin-lists.ts';

export const STYLE_PATHS = ['/admin/style.css', '/admin/desk.css'] as const;

export function page(title: string, main: Html): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
${STYLE_PATHS.map((path) => markup`<link rel="stylesheet" href="${path}">\n`)}<title>${title} - Hourcast operators</title>
</head>
<body><div id="page">
<header class="top"><a class="brand" href="/admin">Hourcast operators</a><nav aria-label="Elsewhere"><a href="/">The arena</a></nav></header>
<main class="page desk"><h1>${title}</h1>
${main}</main>
</div></body>
</html>
`.text;
}

/** The login form; `refusal` is the reason of another attempt. */
export function loginPage(refusal: string | null): string {
  const form = markup`<form method="post" action="/admin/login">
<p><label>ADMIN_TOKEN of the service<br><input type="password" name="token" required autocomplete="current-password"></label></p>
<p><button class="primary">Sign in</button></p></form>`;
  return page('Sign in', panel(null, [refusal !== null && problem(refusal), form]));
}

type DeskLists = { readonly [List in Exclude<keyof AdminLists, 'stuck'>]: Awaited<ReturnType<AdminLists[List]>> };

interface DeskParts extends DeskLists {
  readonly search: string;
  readonly formToken: string;
}

/** The operator's overview; problems come first. */
export function deskPage(parts: DeskParts): string {
  const { attention, rounds, agents, keys, limits, audit, search, formToken } = parts;
  const { queues, jobs } = parts.queues;
  const queueRows = Object.entries(queues ?? {}).map(([queue, counts]) => ({ queue, ...counts }));
  const searching = markup`<form method="get" action="/admin"><p><label>Id, or the beginning of a name<br>
<input name="search" value="${search}" maxlength="50"></label> <button>Search</button></p></form>`;
  const sections = [
    panel('Needs attention', [
      attention.quiet && markup`<p>Nothing does.</p>`,
      table('Rounds that wait', attention.rounds, ({ id }) => links('rounds', id, 'resolving')),
      table('Sources down', attention.sources),
      table('Alarms', attention.alarms),
    ]),
    panel('Rounds', [table('The newest rounds', rounds.map(inShort), ({ id, status }) => links('rounds', id, status))]),
    panel('Agents', [searching, table('Agents found', agents, ({ id, state }) => links('agents', id, state))]),
    panel('Service keys', [table('The newest keys', keys, ({ id, state }) => links('keys', id, state))]),
    panel('The queue', [
      queues === null ? markup`<p>It does not answer.</p>` : table('Jobs', queueRows),
      table('Jobs and their attempts', jobs),
    ]),
    panel('Limits in force', [
      !limits.counted && markup`<p>None is counted: RATE_LIMITS is off.</p>`,
      table('Limits', limits.limits),
    ]),
    panel('Audit', [
      table('What operators did', audit.actions),
      audit.next !== null && markup`<p><a href="/admin?before=${audit.next}">Older lines</a></p>`,
    ]),
  ];
  return page(
    'The desk',
    markup`<p>All times are UTC.</p>${sections}<form method="post" action="/admin/logout">
<input type="hidden" name="form" value="${formToken}"><button>Sign out</button></form>`,
  );
}

/** A round with its question last, without its parentheses. */
function inShort({ question, ...round }: DeskParts['rounds'][number]) {
  return { ...round, question: question.replaceAll(/ \([^()]*\)/g, '') };
}

/** A section of a page; false and null are left out. */
function panel(title: string | null, parts: readonly (Html | false | null)[]): Html {
  return markup`<section class="panel">${title !== null && markup`<h2>${title}</h2>`}${parts}</section>\n`;
}

function problem(sentence: string): Html {
  return markup`<p role="alert" class="problem">${sentence}</p>`;
}

/** A table of rows; empty without rows. */
function table<Row extends object>(name: string, rows: readonly Row[], linksOf?: (row: Row) => Html): Html | null {
  const [first] = rows;
  if (first === undefined) return null;
  // The first columns are visible on a phone without scrolling.
  const heads = [...(linksOf ? ['actions'] : []), ...Object.keys(first).map((head) => head.replaceAll('_', ' '))];
  const cellsOf = (row: Row): readonly unknown[] => [...(linksOf ? [linksOf(row)] : []), ...Object.values(row)];
  const isWide = heads.length > 4;
  const cellHtml = (cell: unknown, at: number): Html =>
    isWide ? markup`<td data-head="${heads[at]}">${readable(cell)}</td>` : markup`<td>${readable(cell)}</td>`;
  return markup`<div class="scroll${isWide && ' cards'}" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${heads.map((head) => markup`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => markup`<tr>${cellsOf(row).map(cellHtml)}</tr>\n`)}</tbody>
</table></div>`;
}

const TIME = new Intl.DateTimeFormat('en', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

/** `Fri, Nov 27, 12:05` for a date. */
function readable(cell: unknown): unknown {
  if (!(cell instanceof Date)) return cell;
  return markup`<time datetime="${cell}" title="${cell}">${TIME.format(cell)}</time>`;
}

/** The actions allowed in the state of a round, an agent or a key. */
function links(of: AdminAction['of'], id: number, state: string): Html {
  const rows = ADMIN_ACTIONS.filter((row) => row.of === of && row.when.some((when) => when === state));
  const link = ({ name }: AdminAction): Html =>
    markup`<a class="button" href="/admin/act/${of}/${id}/${name}" aria-label="${name} ${id}">${name}</a>`;
  const grave = rows.filter(isGrave);
  const marked = grave.length > 0 && markup`<span class="grave">${grave.map(link)}</span>`;
  return markup`<span class="switches">${rows.filter((row) => !isGrave(row)).map(link)}${marked}</span>`;
}

function isGrave(row: AdminAction): boolean {
  return 'isFinal' in row;
}

interface StepParts {
  readonly row: AdminAction;
  readonly id: string;
  readonly formToken: string;
}

/** The form of an action: the reason first. */
export function askingPage(parts: StepParts): string {
  const { row } = parts;
  const fields = markup`<p><label>Why, in a sentence, for the audit<br>
<input name="reason" required maxlength="${LONGEST_REASON}"></label></p>
${row.takes.map((field) => markup`<p><label>${ADMIN_FIELDS[field].summary}<br><input name="${field}" maxlength="50"></label></p>`)}`;
  return stepPage(parts, { text: row.summary, fields, button: 'Show what it would do' });
}

type Answer = Readonly<Record<string, unknown>>;

/** The result of a dry run, and the button to confirm it. */
export function confirmingPage(parts: StepParts, { given, found }: { given: Answer; found: Answer }): string {
  const kept = { sure: 'yes', ...given };
  const fields = markup`<p>Reason: ${given['reason']}</p>
${Object.entries(kept).map(([name, value]) => markup`<input type="hidden" name="${name}" value="${value}">`)}`;
  return stepPage(parts, {
    text: markup`It would do this: <strong>${found['effect']}</strong>`,
    fields,
    button: 'Do it',
    isLast: true,
  });
}

interface StepForm {
  readonly text: Html | string;
  readonly fields: Html;
  readonly button: string;
  /** True: it acts. */
  readonly isLast?: boolean;
}

function stepPage({ row, id, formToken }: StepParts, { text, fields, button, isLast = false }: StepForm): string {
  const form = markup`<p>${text}</p><form method="post" action="/admin/act/${row.of}/${id}/${row.name}">
<input type="hidden" name="form" value="${formToken}">${fields}
<p><button class="${isLast && isGrave(row) ? 'grave' : 'primary'}">${button}</button></p></form>${BACK}`;
  return page(titleOf(row, id), panel(null, [form]));
}

/** The result; a new key is shown here only. */
export function donePage({ row, id }: StepParts, { effect, ...found }: Answer): string {
  const rows = Object.entries(found).map(([name, value]) => ({
    what: name.replaceAll('_', ' '),
    is: typeof value === 'string' ? value : JSON.stringify(value),
  }));
  const done = markup`<p role="status"><strong>${effect}</strong></p>`;
  return page(titleOf(row, id), panel(null, [done, table('What came of it', rows), BACK]));
}

export function refusedPage(sentence: string): string {
  return page('Refused', panel(null, [problem(sentence), BACK]));
}

const BACK: Html = markup`<p><a href="/admin">Back to the desk</a></p>`;

function titleOf({ name, of }: AdminAction, id: string): string {
  return `${name} ${of.slice(0, -1)} ${id}`;
}
