import { fittedLines } from './fitted-text.ts';
import type { PageAnswers } from '../first-answers.ts';
import type { HeadText } from '../heads.ts';
import { plainQuestion } from '../../../dashboard/plain-question.ts';
import { COLOURS, drawingOf, PLANE, text } from './preview-drawings.ts';

export const PREVIEW_SIZE = { width: 1200, height: 630 };
export const PREVIEW_FONT = 'DejaVu Sans';
const INSET = 72;

const ROOM = PREVIEW_SIZE.width - 2 * INSET;
const TITLE_SIZE = 58;
const DESCRIPTION_SIZE = 27;
const PLAIN_WIDTH = 0.9;

export function previewSvg({ title, description }: HeadText, answers: PageAnswers): string {
  const warning = answers.Hello?.health.warning ?? null;
  const round = answers.Now?.currentRound;
  const name = round ? plainQuestion(round) : title.replace(/ · (Hourcast|Round \d+)$/, '').replace(/^Hourcast: /, '');
  const titleLines = fittedLines(name, ROOM / TITLE_SIZE);
  const descriptionLines = fittedLines(description.replace(`${name} `, ''), ROOM / DESCRIPTION_SIZE / PLAIN_WIDTH);
  const below = 190 + titleLines.length * TITLE_SIZE * 1.15;
  const drawing = drawingOf(answers);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}" font-family="${PREVIEW_FONT}">
<rect width="${PREVIEW_SIZE.width}" height="${PREVIEW_SIZE.height}" fill="${COLOURS.paper}"/>
<g fill="none" stroke-width="7"><circle cx="94" cy="86" r="22" stroke="${COLOURS.line}"/><path d="M94 64a22 22 0 0 1 22 22" stroke="${COLOURS.accent}"/></g>
${text({ x: 136, y: 97, size: 32, weight: 700 }, 'Hourcast')}
${warning === null ? '' : text({ x: PREVIEW_SIZE.width - INSET, y: 97, size: 24, fill: COLOURS.accent, anchor: 'end' }, 'Not real prices')}
${titleLines.map((line, index) => text({ x: INSET, y: 190 + index * TITLE_SIZE * 1.15, size: TITLE_SIZE, weight: 700 }, line)).join('\n')}
${descriptionLines
  .map((line, index) => text({ x: INSET, y: below + index * 38, size: DESCRIPTION_SIZE, fill: COLOURS.soft }, line))
  .join('\n')}
<g transform="translate(${INSET} ${PREVIEW_SIZE.height - INSET - PLANE.height + 44})">
${drawing}
</g>
</svg>
`;
}
