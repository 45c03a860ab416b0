import { hash } from 'node:crypto';

import { markup } from '../../http/html-text.ts';

export interface FeedEntry {
  /** The address of its page, after the origin. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
  /** ISO, UTC. */
  readonly published: string;
  readonly updated: string;
}

export interface Feed {
  /** The service's name for ids, the same for good. */
  readonly service: string;
  readonly path: string;
  /** The page with the same content. */
  readonly page: string;
  readonly title: string;
  readonly subtitle: string | null;
  /** The newest first. */
  readonly entries: readonly FeedEntry[];
}

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** RFC 4287 requires a time even where there are no entries. */
const BEFORE_ALL = '1970-01-01T00:00:00.000Z';

function typeOf(path: string): string {
  return path.startsWith('/api/') ? 'application/json' : 'text/html';
}

/** All times have one format, so that the newest is the last as text. */
function updatedOf({ entries }: Pick<Feed, 'entries'>): string {
  return entries.reduce((newest, { updated }) => (updated > newest ? updated : newest), BEFORE_ALL);
}

/** A UUID (RFC 9562, version 8): the same at every address of a service. */
function idOf(service: string, path: string): string {
  const hex = hash('sha256', service + path);
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** An Atom feed (RFC 4287) whose addresses begin with `origin`. */
export function atomText({ service, path, page, title, subtitle, entries }: Feed, origin: string): string {
  const feed = markup`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${idOf(service, path)}</id>
<title>${title}</title>
${subtitle !== null && markup`<subtitle>${subtitle}</subtitle>\n`}<updated>${updatedOf({ entries })}</updated>
<author><name>Hourcast</name></author>
<link rel="self" type="application/atom+xml" href="${origin + path}"/>
<link rel="alternate" type="${typeOf(page)}" href="${origin + page}"/>
${entries.map(
  (entry) => markup`<entry>
<id>${idOf(service, entry.path)}</id>
<title>${entry.title}</title>
<published>${entry.published}</published>
<updated>${entry.updated}</updated>
<link rel="alternate" type="${typeOf(entry.path)}" href="${origin + entry.path}"/>
<content type="text">${entry.text}</content>
</entry>
`,
)}</feed>
`;
  return feed.text.toWellFormed().replaceAll(NOT_IN_XML, '\ufffd');
}

/** XML 1.0 has no way to write these characters. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
