import type { Difference, Findings } from './findings.ts';

const FIGURES = new Intl.NumberFormat('en-US');

export function reportLines({ differences, compared, notes }: Findings): readonly string[] {
  return [
    ...notes.map((note) => `note: ${note}`),
    ...differences.map(lineOf),
    `${FIGURES.format(compared)} values compared, ${differences.length === 0 ? 'no difference' : differing(differences)}.`,
  ];
}

function lineOf({ place, name, published, recomputed }: Difference): string {
  return `${place}: ${name} is ${shown(published)}, recomputed ${shown(recomputed)}`;
}

function differing({ length }: readonly Difference[]): string {
  return length === 1 ? '1 differs' : `${FIGURES.format(length)} differ`;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
