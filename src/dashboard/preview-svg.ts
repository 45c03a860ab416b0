import type { Head } from './heads.ts';
import { plainQuestion } from './plain-question.ts';
import { COLOURS, drawingOf, PLANE, type ShownAnswers, text } from './preview-drawings.ts';

/** What sites that show a preview of a link ask for, in pixels. */
export const PREVIEW_SIZE = { width: 1200, height: 630 };
/** The family that the picture is drawn in; it comes with the service. */
export const PREVIEW_FONT = 'DejaVu Sans';
const INSET = 72;

/** Letters of a line, by its size: of a wide font, so that no line is longer than there is room. */
const TITLE = { size: 58, letters: 28, lines: 2 };
const DESCRIPTION = { size: 27, letters: 64, lines: 2 };

/** A picture of a page for previews of its address: what it is about, its main figures, and that its prices may not be real. */
export function previewSvg({ title, description }: Head, answers: ShownAnswers): string {
  const warning = answers.Hello?.health.warning ?? null;
  const asked = answers.Now?.currentRound;
  const name = asked ? plainQuestion(asked) : title.replace(/ · (Hourcast|Round \d+)$/, '').replace(/^Hourcast: /, '');
  const titleLines = linesOf(name, TITLE);
  const below = 190 + titleLines.length * TITLE.size * 1.15;
  const drawing = drawingOf(answers);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}" font-family="${PREVIEW_FONT}">
<rect width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}" fill="${COLOURS.paper}"/>
<g fill="none" stroke-width="7"><circle cx="94" cy="86" r="22" stroke="${COLOURS.line}"/><path d="M94 64a22 22 0 0 1 22 22" stroke="${COLOURS.accent}"/></g>
${text({ x: 136, y: 97, size: 32, weight: 700 }, 'Hourcast')}
${warning === null ? '' : text({ x: PREVIEW_SIZE.width - INSET, y: 97, size: 24, fill: COLOURS.accent, anchor: 'end' }, 'Not real prices')}
${titleLines.map((line, index) => text({ x: INSET, y: 190 + index * TITLE.size * 1.15, size: TITLE.size, weight: 700 }, line)).join('\n')}
${linesOf(description.replace(`${name} `, ''), DESCRIPTION)
  .map((line, index) => text({ x: INSET, y: below + index * 38, size: DESCRIPTION.size, fill: COLOURS.soft }, line))
  .join('\n')}
<g transform="translate(${INSET} ${PREVIEW_SIZE.height - INSET - PLANE.height + 44})">
${drawing}
</g>
</svg>
`;
}

/** A text broken between words; what is beyond the last line is cut off, and said to be. */
function linesOf(said: string, { letters, lines: most }: typeof TITLE): string[] {
  const lines: string[] = [''];
  for (const word of said.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  const kept = lines.slice(0, most).map((line) => (line.length > letters ? `${line.slice(0, letters - 1)}…` : line));
  if (lines.length <= most) return kept;
  const last = kept.at(-1) ?? '';
  return [...kept.slice(0, -1), `${last.length < letters ? last : last.replace(/ \S*$/, '')}…`];
}
