/** An element of XML, with the text directly inside it. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Element[];
  readonly text: string;
}

interface Open {
  name: string;
  attributes: Record<string, string>;
  children: Element[];
  text: string;
}

const TOKEN = /<(\/?)([a-z]+)((?: [a-z:]+="[^"<]*")*)(\/?)>|([^<]+)/y;
const HEAD = '<?xml version="1.0" encoding="utf-8"?>\n';

/** The root of a document in the subset of XML that the service writes. Throws for anything else. */
function parseXml(document: string): Element {
  if (!document.startsWith(HEAD)) throw new Error('No XML declaration');
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const stack = [root];
  TOKEN.lastIndex = HEAD.length;
  while (TOKEN.lastIndex < document.length) {
    const at = TOKEN.lastIndex;
    const [all, end, name, attributes = '', isEmpty, text] = TOKEN.exec(document) ?? [];
    const parent = stack.at(-1);
    if (all === undefined || parent === undefined) throw new Error(`Not XML: ${document.slice(at, at + 80)}`);
    if (text !== undefined) parent.text += plain(text);
    else if (end === '/') {
      if (parent.name !== name) throw new Error(`</${name}> ends <${parent.name}>`);
      stack.pop();
    } else {
      const found = [...attributes.matchAll(/ ([a-z:]+)="([^"]*)"/g)].map(([, key, value = '']) => [key, plain(value)]);
      const element = { name: name ?? '', attributes: Object.fromEntries(found), children: [], text: '' };
      parent.children.push(element);
      if (isEmpty !== '/') stack.push(element);
    }
  }
  const [element] = root.children;
  if (stack.length !== 1 || element === undefined || root.children.length > 1) throw new Error('Not one whole element');
  return element;
}

function plain(text: string): string {
  // XML 1.0 allows these characters alone.
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(text)) throw new Error('A forbidden character');
  return text.replaceAll(/&([^;]*;?)/g, (_, entity: string) => {
    const sign = { 'amp;': '&', 'lt;': '<', 'gt;': '>', 'quot;': '"' }[entity];
    if (sign === undefined) throw new Error(`Not an entity: &${entity}`);
    return sign;
  });
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly published: string;
  readonly link: string;
  readonly content: string;
}

export interface ReadFeed {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly updated: string;
  readonly self: string;
  readonly alternate: string;
  readonly entries: readonly Entry[];
}

/** A feed with what RFC 4287 requires. Throws where it is missing, or there more often than allowed. */
export function readAtom(document: string): ReadFeed {
  const feed = parseXml(document);
  if (feed.name !== 'feed' || feed.attributes['xmlns'] !== 'http://www.w3.org/2005/Atom') throw new Error('No feed');
  const [author] = feed.children.filter(({ name }) => name === 'author');
  if (author === undefined || only(author, 'name') === '') throw new Error('No author');
  const entries = feed.children.filter(({ name }) => name === 'entry');
  const read = {
    ...common(feed),
    subtitle: feed.children.find(({ name }) => name === 'subtitle')?.text ?? null,
    self: linkOf(feed, 'self'),
    alternate: linkOf(feed, 'alternate'),
    entries: entries.map((entry) => ({
      ...common(entry),
      published: instant(only(entry, 'published')),
      link: linkOf(entry, 'alternate'),
      content: only(entry, 'content'),
    })),
  };
  if (new Set(read.entries.map(({ id }) => id)).size < entries.length) throw new Error('Two entries with one id');
  return read;
}

function common(element: Element) {
  return {
    id: new URL(only(element, 'id')).href,
    title: only(element, 'title'),
    updated: instant(only(element, 'updated')),
  };
}

function only({ name: parent, children }: Element, name: string): string {
  const [found, ...others] = children.filter((child) => child.name === name);
  if (found === undefined || others.length > 0) throw new Error(`${parent} must have one ${name}`);
  return found.text;
}

function instant(text: string): string {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text)) throw new Error(`No time of RFC 3339: ${text}`);
  return text;
}

function linkOf({ children }: Element, rel: string): string {
  const found = children.find(({ name, attributes }) => name === 'link' && attributes['rel'] === rel);
  return new URL(found?.attributes['href'] ?? '').href;
}
