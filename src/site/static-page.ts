import { escaped } from '../http/html-text.ts';
import { PERIODS } from '../rules/windows.ts';
import { fileOf, isOfSite, relativeLink } from './addresses.ts';

export interface SiteAddresses {
  /** The copied service, such as `http://127.0.0.1:3000`. */
  readonly from: string;
  /** Links to pages that the site lacks lead there; without it they are plain text. */
  readonly service?: string | undefined;
  /** The public address of the site, for previews on other sites. */
  readonly base?: string | undefined;
}

/** Files on a disk have no origin, so styles and pictures are not restricted to one. */
const POLICY = "script-src 'none'; object-src 'none'; form-action 'none'";

/** Also the note about scripts, the last paragraph of `noscript`. */
const SCRIPTS =
  /<script\b[^>]*>.*?<\/script>|<link rel="modulepreload"[^>]*>\n?|<noscript>|(?:<p class="fine">[^<]*<\/p>)?<\/noscript>/gs;
/** A form may hold the title of its page. */
const CONTROLS = /<form\b(?:[^<]|<(?!\/form>|h1>))*(<h1>.*?<\/h1>)?.*?<\/form>|<button\b.*?<\/button>/gs;
/** The first page is drawn twice, and the rest of it is behind its main part. */
const REST = /<\/main><noscript>(.*?)<\/noscript>/s;
const PREVIEWS = /<meta (?:property="og:(?:url|image)[^"]*"|name="twitter:card")[^>]*>\n?/g;
const MISSING_FILE = '404.html';
/** Quotes are escaped everywhere else, so each match is an attribute. */
const ATTRIBUTE = / (href|src)="(\/[^"]*)"/g;
const OPERATING = /<h2>Operate it<\/h2>\s*<ul>.*?<\/ul>/s;

const ORDERS = Object.entries({ points: 'points', edge: 'edge', skill: 'skill', pnl: 'P&amp;L' });
/** The tabs of a board need scripts. */
const BOARDS = `<h2>Boards</h2>\n<ul>\n${PERIODS.map((period) => {
  const links = ORDERS.map(
    ([order, text]) =>
      `<a href="/leaderboard?period=${period}&amp;order_by=${order}">${period.replace('alltime', 'all time')} by ${text}</a>`,
  );
  return `<li>${links.join(', ')}</li>`;
}).join('\n')}\n</ul>`;

const PREVIEW = '/preview/now.png';

/** A served page as a file without scripts, forms and live parts. `address` is its own, such as `/rounds/7`; `linked` has those that it needs or links. */
export function staticPage(
  served: string,
  { address, copiedAt, addresses }: { address: string; copiedAt: Date; addresses: SiteAddresses },
) {
  const { service, base } = addresses;
  const file = fileOf(address);
  const linked = new Set<string>();
  const linkTo = (target: string): string | undefined => {
    const [path = '', fragment] = target.replaceAll('&amp;', '&').split('#');
    if (!isOfSite(path)) return service && service + target;
    linked.add(path);
    return relativeLink(file, fileOf(path)) + (fragment === undefined ? '' : `#${fragment}`);
  };
  if (base !== undefined) linked.add(PREVIEW);
  const html = served
    .replace(REST, '<noscript>$1</noscript></main>')
    .replaceAll(SCRIPTS, '')
    .replaceAll(CONTROLS, '$1')
    .replaceAll(PREVIEWS, '')
    .replace(OPERATING, BOARDS)
    .replace('All times are UTC.', `Copied on ${copiedAt.toISOString().slice(0, 16).replace('T', ' at ')}. $&`)
    .replaceAll(ATTRIBUTE, (_, name: string, target: string) => {
      const link = linkTo(target);
      return link === undefined ? '' : ` ${name}="${link}"`;
    })
    .replace('<meta charset="utf-8">', `$&\n${headLines(file, base)}`);
  return { html, linked: [...linked] };
}

function headLines(file: string, base: string | undefined): string {
  const policy = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  if (base === undefined) return policy;
  const previews = { 'og:url': file, 'og:image': fileOf(PREVIEW) };
  const lines = Object.entries(previews).map(
    ([name, path]) => `<meta property="${name}" content="${escaped(`${base}/${path}`)}">`,
  );
  // Hosts answer any missing address with this file, at any depth.
  return [policy, ...lines, ...(file === MISSING_FILE ? [`<base href="${escaped(base)}/">`] : [])].join('\n');
}

/** Programs that documents show call the service, by its public address or the default one. */
export function withAddress(text: string, { from, service = 'http://localhost:3000' }: SiteAddresses): string {
  return text.replaceAll(from, service);
}

/** Controls stay hidden, as in a browser without scripts, and so does a countdown. */
export function staticStyle(css: string): string {
  const added =
    '.countdown,a.mine:not([href]),a.button:not([href]){display:none}a:not([href]){color:inherit;text-decoration:none}';
  return css.replace(/@media ?\(scripting: ?none\)/, '@media all') + added;
}
