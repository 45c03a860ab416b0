import type { Difference, Findings } from './findings.ts';

const FIGURES = new Intl.NumberFormat('en-US');

export function reportLines({ differences, alarms, compared, notes }: Findings): readonly string[] {
  const found = differences.length + alarms.length;
  return [
    ...notes.map((note) => `note: ${note}`),
    ...alarms.map((alarm) => `ALARM: ${alarm}`),
    ...differences.map(lineOf),
    `${FIGURES.format(compared)} values compared, ${found === 0 ? 'no difference' : differing(found)}.`,
  ];
}

function lineOf({ place, name, published, recomputed, isLogged }: Difference): string {
  return `${place}: ${name} is ${valueText(published)}, ${isLogged ? 'logged' : 'recomputed'} ${valueText(recomputed)}`;
}

function differing(count: number): string {
  return count === 1 ? '1 differs' : `${FIGURES.format(count)} differ`;
}

function valueText(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}
