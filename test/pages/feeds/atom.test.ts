import { expect, test } from '@jest/globals';

import { atomText, type FeedEntry } from '../../../src/pages/feeds/atom.ts';
import { readAtom } from './read-atom.ts';

const ORIGIN = 'https://example.org';
const FEED = { service: 'one', path: '/feeds/rounds.atom', page: '/rounds', title: 'Rounds', subtitle: null };

function entry(changes: Partial<FeedEntry> = {}): FeedEntry {
  const at = '2026-01-01T13:00:02.000Z';
  return { path: '/rounds/1', title: 'One', text: 'Text', published: at, updated: at, ...changes };
}

test.each([
  ['markup', '<script>alert("1")</script> & \'so\' ]]>'],
  ['entities', '&amp; &lt; &#0; &nope;'],
  ['an emoji, lines and tabs', '🦊 one\n\ttwo'],
])('%s in a text is read back unchanged', (_, text) => {
  const read = readAtom(
    atomText({ ...FEED, title: text, subtitle: text, entries: [entry({ title: text, text })] }, ORIGIN),
  );
  const [{ title, content } = { title: '', content: '' }] = read.entries;
  expect([read.title, read.subtitle, title, content]).toEqual([text, text, text, text]);
});

test.each([
  ['a control character', 'a\u0000b\u001bc', 'a\ufffdb\ufffdc'],
  ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ['a noncharacter', 'a\uffffb', 'a\ufffdb'],
])('%s, which XML cannot contain, is replaced', (_, text, replaced) => {
  const read = readAtom(atomText({ ...FEED, entries: [entry({ text })] }, ORIGIN));
  expect(read.entries.map(({ content }) => content)).toEqual([replaced]);
});

test('addresses are absolute and escaped', () => {
  const read = readAtom(atomText({ ...FEED, page: '/x?a=1&b=2', entries: [entry()] }, ORIGIN));
  expect([read.self, read.alternate, read.entries[0]?.link]).toEqual([
    `${ORIGIN}/feeds/rounds.atom`,
    `${ORIGIN}/x?a=1&b=2`,
    `${ORIGIN}/rounds/1`,
  ]);
});

test('a feed is as new as the newest of its entries, and valid without any', () => {
  const updated = '2026-01-03T00:00:00.000Z';
  const entries = [entry(), entry({ path: '/rounds/2', updated })];
  expect(readAtom(atomText({ ...FEED, entries }, ORIGIN)).updated).toBe(updated);
  expect(readAtom(atomText({ ...FEED, entries: [] }, ORIGIN))).toMatchObject({ entries: [], subtitle: null });
});

const idsAt = (origin: string, service = 'one') => {
  const { id, entries } = readAtom(
    atomText({ ...FEED, service, entries: [entry(), entry({ path: '/rounds/2' })] }, origin),
  );
  return [id, ...entries.map((one) => one.id)];
};

test('ids are UUIDs that depend on the service and the path, and not on the host', () => {
  const ids = idsAt(ORIGIN);
  for (const id of ids) expect(id).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(idsAt('http://10.0.0.1:3000')).toEqual(ids);
  expect(new Set([...ids, ...idsAt(ORIGIN, 'another')]).size).toBe(6);
});
