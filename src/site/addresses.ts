import { posix } from 'node:path';

/** Paths of the site, each with the parameters that choose another file of it. */
const PATHS: readonly (readonly [RegExp, ...string[]])[] = [
  [/^\/(404|questions|about)?$/],
  [/^\/(rounds|agents|leaderboard)\/[\dW-]+$/],
  [/^\/(agents|archive)$/, 'after'],
  [/^\/rounds$/, 'after', 'type'],
  [/^\/leaderboard(\.csv)?$/, 'period', 'order_by'],
  [/^\/(forecast|models)$/, 'period'],
  [/^\/docs(\/[a-z-]+(\.md)?)?$/],
  [/^\/(openapi\.json|llms(-full)?\.txt)$/],
  [/^\/api\/(leaderboard|stats|forecast\/record|rounds\/recent)$/],
  [/^\/api\/export\/(rounds|archives)\.(csv|ndjson)$/],
  [/^\/(page|docs\/files)\/[\w-]+\.css$/],
  [/^\/preview\/now\.png$/],
];

/** False for forms, live answers, accounts, and lists that grow with agents times rounds. */
export function isOfSite(address: string): boolean {
  const [path = '', search] = address.split('?');
  const names = [...new URLSearchParams(search).keys()];
  return PATHS.some(([form, ...parameters]) => form.test(path) && names.every((name) => parameters.includes(name)));
}

const ENDING = /\.(css|csv|json|md|ndjson|png|txt)$/;
const SIGNS: Readonly<Record<string, string>> = { '?': '~', '&': '~', '=': ',' };

/** A file for each address of the site. Names differ also where a file system ignores case, and links need no escapes. */
export function fileOf(address: string): string {
  const [path = '', ...search] = address.split(/(?=\?)/);
  const ending = ENDING.exec(path)?.[0] ?? (path.startsWith('/api/') ? '.json' : '.html');
  const name = (path.slice(1) || 'index').replace(ENDING, '') + search.join('');
  return (
    name.replaceAll(
      /[^a-z0-9./_-]/g,
      (sign) => SIGNS[sign] ?? (/[A-Z]/.test(sign) ? `!${sign.toLowerCase()}` : `!${sign.charCodeAt(0)}`),
    ) + ending
  );
}

/** The link from one file to another. */
export function relativeLink(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to);
}
