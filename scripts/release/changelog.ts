/** A section of the changelog. */
export interface Section {
  /** `Unreleased` or a version. */
  readonly title: string;
  /** Day of the release, null before it. */
  readonly date: string | null;
  /** The release text for people, above the list. */
  readonly text: string;
  readonly entries: readonly Entry[];
}

export interface Entry {
  readonly kind: (typeof KINDS)[number];
  /** Markdown on one line. */
  readonly text: string;
}

export interface ReleasedEntry extends Entry {
  readonly version: string;
  readonly date: string;
}

export const UNRELEASED = 'Unreleased';

const KINDS = ['added', 'changed', 'deprecated', 'removed', 'fixed'] as const;

const VERSION_HEADING = /^(\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)$/;

/** The sections, the newest first. Throws for headings and kinds of another form. */
export function sectionsOf(changelog: string): readonly Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      const [, version, date] = VERSION_HEADING.exec(heading.trim()) ?? [];
      if (version === undefined && heading.trim() !== UNRELEASED)
        throw new Error(`A section is "${UNRELEASED}" or a version with its day, as 0.3.0 (2026-11-22): ${heading}`);
      const [text = '', ...groups] = lines.join('\n').split(/^### /m);
      const entries = groups.flatMap((group) => {
        const [title = '', ...list] = group.split('\n');
        return itemsIn(list.join('\n')).map((item) => ({ kind: kindOf(title), text: item }));
      });
      return { title: version ?? UNRELEASED, date: date ?? null, text: text.trim(), entries };
    });
}

/** A group may have more words: `Changed: check before upgrading`. */
function kindOf(title: string): Entry['kind'] {
  const kind = KINDS.find((one) => one === /^\w+/.exec(title)?.[0].toLowerCase());
  if (kind === undefined) throw new Error(`A group of entries begins with one of ${KINDS.join(', ')}: ${title}`);
  return kind;
}

function itemsIn(list: string): readonly string[] {
  return list
    .split(/^- /m)
    .slice(1)
    .map((item) => item.replaceAll(/\s+/g, ' ').trim());
}

/** The entries of released versions. */
export function releasedEntries(changelog: string): readonly ReleasedEntry[] {
  return sectionsOf(changelog).flatMap(({ title, date, entries }) =>
    date === null ? [] : entries.map((entry) => ({ version: title, date, ...entry })),
  );
}

/** The changelog with its unreleased section as that of a version; an empty one remains above it. */
export function withRelease(changelog: string, version: string, date: string): string {
  return changelog.replace(`## ${UNRELEASED}\n`, `## ${UNRELEASED}\n\n## ${version} (${date})\n`);
}
