import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';

/** Upper bounds by place, which may only fall; `PRINT_WORDS=1` prints today's counts. The rules: CONTRIBUTING.md, "Words". */
const BOUNDS = {
  src: { openings: 12, long: 3 },
  dashboard: { openings: 0, long: 0 },
  clients: { openings: 0, long: 0 },
  scripts: { openings: 0, long: 0 },
  bench: { openings: 0, long: 1 },
  'test/support': { openings: 0, long: 0 },
  'schema.graphql': { openings: 0, long: 0 },
  docs: { openings: 23, long: 26 },
};

const PATTERNS: Readonly<Record<string, readonly string[]>> = {
  'schema.graphql': ['schema.graphql'],
  docs: ['{README,ARCHITECTURE,CONTRIBUTING,SECURITY}.md', 'docs/**/*.md', 'clients/*/README.md'],
};
const GENERATED =
  /node_modules|\/dist\/|schema-types|dashboard\/documents|js\/src\/reference|hourcast\/(types|endpoints)/;
const OPENING = /^(What|Who|Whose|Whom|Of|Where|How|By (which|whom)|In (which|whom)|Whatever|Whoever)\b/;
const LONGEST = 30;
/** Comments, docstrings and descriptions at the start of a line. Neighbouring lines are one comment. */
const COMMENT = /^[ \t]*\/\*[^]*?\*\/|^[ \t]*"""[^]*?"""|^[ \t]*"[^"\n]+"$|(?:^[ \t]*(?:\/\/|#).*\n?)+/gm;

function sentencesOf(path: string): string[] {
  const text = readFileSync(path, 'utf8');
  const prose = path.endsWith('.md') ? [text.replaceAll(/^```[^]*?^```$/gm, '\n\n')] : (text.match(COMMENT) ?? []);
  return prose
    .flatMap((part) => part.split(/(?<=[.!?])\s|\n\s*(?:[#/*]*\s*\n|- |\d+\. |#+ )|\|/))
    .map((sentence) => sentence.replaceAll(/^[\s"/*#]+|\n\s*(?:\*|\/\/|#)?/g, ' ').trim())
    .map((sentence) => `${path}: ${sentence}`);
}

test.each(Object.entries(BOUNDS))('%s has no more odd openings and long sentences than before', (place, bound) => {
  const files = globSync([...(PATTERNS[place] ?? [`${place}/**/*.{ts,tsx,mjs,js,py}`])]).filter(
    (path) => !GENERATED.test(path),
  );
  const sentences = files.flatMap(sentencesOf);
  const openings = sentences.filter((sentence) => OPENING.test(sentence.slice(sentence.indexOf(': ') + 2)));
  const long = sentences.filter((sentence) => sentence.split(/\s+/).length - 1 > LONGEST);
  if (process.env['PRINT_WORDS'])
    process.stdout.write(`${place}: { openings: ${openings.length}, long: ${long.length} },\n`);
  expect(openings.length > bound.openings ? openings : []).toEqual([]);
  expect(long.length > bound.long ? long : []).toEqual([]);
});
