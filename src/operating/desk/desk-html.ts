import { type Html, html } from '../../http/html-text.ts';
import { ADMIN_ACTIONS, ADMIN_FIELDS, type AdminAction, LONGEST_REASON } from '../../rules/admin-actions.ts';
import type { AdminLists } from '../admin-lists.ts';

/** Where the page's style is. */
export const STYLE_PATH = '/admin/desk.css';

/** A whole page. */
export function page(title: string, main: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${STYLE_PATH}" />
        <title>${title} - Hourcast operators</title>
      </head>
      <body>
        <header>
          <strong><a href="/admin">Hourcast operators</a></strong> <a href="/">The arena</a>
        </header>
        <main>
          <h1>${title}</h1>
          ${main}
        </main>
      </body>
    </html> `.text;
}

/** What asks for the token; `refusal` says why it asks again. */
export function loginPage(refusal: string | null): string {
  return page(
    'Sign in',
    html`<section>
      ${refusal === null ? null : html`<p role="alert" class="refused">${refusal}</p>`}
      <form method="post" action="/admin/login">
        <label
          >ADMIN_TOKEN of the service<br /><input type="password" name="token" required autocomplete="current-password"
        /></label>
        <button>Sign in</button>
      </form>
    </section>`,
  );
}

interface DeskParts {
  readonly attention: Awaited<ReturnType<AdminLists['attention']>>;
  readonly rounds: Awaited<ReturnType<AdminLists['rounds']>>;
  readonly agents: Awaited<ReturnType<AdminLists['agents']>>;
  readonly queues: Awaited<ReturnType<AdminLists['queues']>>;
  readonly limits: ReturnType<AdminLists['limits']>;
  readonly audit: Awaited<ReturnType<AdminLists['audit']>>;
  readonly search: string;
  readonly formToken: string;
}

/** All that an operator needs to see: first what needs attention. */
export function deskPage(parts: DeskParts): string {
  const { attention, rounds, agents, queues, limits, audit, search, formToken } = parts;
  const queueRows = Object.entries(queues ?? {}).map(([queue, counts]) => ({ queue, ...counts }));
  return page(
    'The desk',
    html`<section>
        <h2>Needs attention</h2>
        ${attention.quiet ? html`<p>Nothing does. ${attention.at}</p>` : null}
        ${table('Rounds that wait', attention.rounds, (row) => actionLinks('rounds', row.id, 'resolving'))}
        ${table('Sources down', attention.sources)} ${table('Alarms', attention.alarms)}
      </section>
      <section>
        <h2>Rounds</h2>
        ${table('The newest rounds', rounds, (row) => actionLinks('rounds', row.id, row.status))}
      </section>
      <section>
        <h2>Agents</h2>
        <form method="get" action="/admin">
          <label>Id, or the beginning of a name<br /><input name="search" value="${search}" maxlength="50" /></label>
          <button>Search</button>
        </form>
        ${table('Agents', agents, (row) => actionLinks('agents', row.id, row.state))}
      </section>
      <section>
        <h2>The queue</h2>
        ${queues === null ? html`<p>It does not answer.</p>` : table('Jobs', queueRows)}
      </section>
      <section>
        <h2>Limits in force</h2>
        ${limits.counted ? null : html`<p>RATE_LIMITS=off: none is counted.</p>`} ${table('Limits', limits.limits)}
      </section>
      <section>
        <h2>Audit</h2>
        ${table('What operators did', audit.actions)}
        ${audit.next === null ? null : html`<p><a href="/admin?before=${audit.next}">Older lines</a></p>`}
      </section>
      <form method="post" action="/admin/logout">
        <input type="hidden" name="form" value="${formToken}" /><button>Sign out</button>
      </form>`,
  );
}

/** Rows by their own names; nothing where there are none. */
function table<Row extends object>(name: string, rows: readonly Row[], links?: (row: Row) => Html): Html | null {
  const [first] = rows;
  if (first === undefined) return null;
  const heads = [...Object.keys(first).map((head) => head.replaceAll('_', ' ')), ...(links ? ['actions'] : [])];
  return html`<div class="wide" role="region" aria-label="${name}" tabindex="0">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${Object.values(row).map((value) => html`<td>${value}</td>`)}${links && html`<td>${links(row)}</td>`}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

/** The actions that the state of a round or an agent allows. */
function actionLinks(of: AdminAction['of'], id: number, state: string): Html {
  const rows = ADMIN_ACTIONS.filter((row) => row.of === of && row.when.some((when) => when === state));
  return html`${rows.map(({ name }) => html`<a href="/admin/act/${of}/${id}/${name}" aria-label="${name} ${id}">${name}</a>`)}`;
}

interface StepParts {
  readonly row: AdminAction;
  readonly id: string;
  readonly formToken: string;
}

/** Asks for what the action needs: the reason first of all. */
export function askingPage({ row, id, formToken }: StepParts): string {
  return page(
    titleOf(row, id),
    html`<section>
      <p>${row.summary}</p>
      <form method="post" action="/admin/act/${row.of}/${id}/${row.name}">
        <input type="hidden" name="form" value="${formToken}" />
        ${row.takes.map((field) => html`<label>${ADMIN_FIELDS[field].summary}<br /><input name="${field}" maxlength="50" /></label>`)}
        <label
          >Why, in a sentence, for the audit<br /><input name="reason" required maxlength="${LONGEST_REASON}"
        /></label>
        <button>Show what it would do</button> <a href="/admin">Back</a>
      </form>
    </section>`,
  );
}

type Answer = Readonly<Record<string, unknown>>;

/** What a dry run has found, and the button that does it. */
export function confirmingPage({ row, id, formToken }: StepParts, { given, found }: { given: Answer; found: Answer }) {
  return page(
    titleOf(row, id),
    html`<section>
      <p>It would do this: <strong>${found['effect']}</strong></p>
      <form method="post" action="/admin/act/${row.of}/${id}/${row.name}">
        <input type="hidden" name="form" value="${formToken}" /><input type="hidden" name="sure" value="yes" />
        ${['reason', ...row.takes].map((name) => html`<input type="hidden" name="${name}" value="${given[name]}" />`)}
        <p>Reason: ${given['reason']}</p>
        <button>Do it</button> <a href="/admin">Back</a>
      </form>
    </section>`,
  );
}

/** What was done; a new key stands here and nowhere else. */
export function donePage({ row, id }: Pick<StepParts, 'row' | 'id'>, { effect, ...found }: Answer): string {
  const rows = Object.entries(found).map(([name, value]) => ({ what: name.replaceAll('_', ' '), is: value }));
  return page(
    titleOf(row, id),
    html`<section>
      <p role="status"><strong>${effect}</strong></p>
      ${table('What came of it', rows)}
      <p><a href="/admin">Back to the desk</a></p>
    </section>`,
  );
}

export function refusedPage(sentence: string): string {
  return page(
    'Refused',
    html`<section>
      <p role="alert" class="refused">${sentence}</p>
      <p><a href="/admin">Back to the desk</a></p>
    </section>`,
  );
}

function titleOf({ name, of }: AdminAction, id: string): string {
  return `${name} ${of === 'rounds' ? 'round' : 'agent'} ${id}`;
}
