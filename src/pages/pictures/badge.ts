import { escaped } from '../../http/html-text.ts';
import { counted, decimal } from '../../../dashboard/figures.ts';
import type { AgentCardQuery } from '../../../dashboard/documents/card.ts';

type Agent = NonNullable<AgentCardQuery['agent']>;

const HEIGHT = 20;
const PADDING = 7;
/** The width of a letter in common fonts; `textLength` fits the text to the computed width. */
const LETTER = 6.4;
const FONT = 'Verdana, DejaVu Sans, Geneva, sans-serif';

export function badgeSvg({ name, totalPoints, alltime: { rank, edge } }: Agent): string {
  const figures = [
    rank == null ? 'no rank yet' : `#${rank}`,
    counted(totalPoints, 'point'),
    ...(edge == null ? [] : [`edge ${decimal(edge.mean)}`]),
  ].join(' · ');
  const left = widthOf(name);
  const right = widthOf(figures);
  const label = escaped(`${name} on Hourcast: ${figures}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="${HEIGHT}" role="img" aria-label="${label}">
<title>${label}</title>
<clipPath id="edge"><rect width="${left + right}" height="${HEIGHT}" rx="4"/></clipPath>
<g clip-path="url(#edge)">
<rect width="${left}" height="${HEIGHT}" fill="#16181d"/>
<rect x="${left}" width="${right}" height="${HEIGHT}" fill="#b93c0c"/>
</g>
<g fill="#fff" font-family="${FONT}" font-size="11">
${textAt(0, left, name)}
${textAt(left, right, figures)}
</g>
</svg>
`;
}

function widthOf(text: string): number {
  return Math.ceil(text.length * LETTER) + 2 * PADDING;
}

function textAt(x: number, width: number, text: string): string {
  return `<text x="${x + PADDING}" y="14" textLength="${width - 2 * PADDING}" lengthAdjust="spacingAndGlyphs">${escaped(text)}</text>`;
}
