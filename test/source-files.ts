import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

/** A file of ours, read as text. */
export interface SourceFile {
  /** From the project's folder, such as `src/rules/hours.ts`. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
}

export interface Import {
  readonly line: number;
  /** A file of ours from the project's folder, or a package's name as it stands. */
  readonly target: string;
}

/** The files of a folder and of those in it, whose names end so. */
export function filesIn(folder: string, ending = /\.tsx?$/): SourceFile[] {
  return (
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      // A bench, or the suite of other people's clients, has packages of its own once it was run.
      .filter((name) => ending.test(name) && !name.includes('node_modules'))
      .map((name) => sourceFile(join(folder, name)))
  );
}

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, lines: text.split('\n'), imports: [...importsOf(path, text)] };
}

function* importsOf(path: string, text: string): Generator<Import> {
  for (const found of text.matchAll(/^(?:import|export)\b(?:[^;']*?\bfrom )?\s*['"]([^'"]+)['"]/gm)) {
    const [statement, from = ''] = found;
    const line = text.slice(0, found.index + statement.length).split('\n').length;
    yield { line, target: targetOf(path, from) };
  }
}

function targetOf(path: string, from: string): string {
  return from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
}

/** Files that lead back to themselves, by what they import at once, later or as types: each circle with its files. */
export function circlesIn(files: readonly SourceFile[]): string[][] {
  const targets = new Map(
    files.map(({ path, lines, imports }) => {
      const later = [...lines.join('\n').matchAll(/\bimport\('([^']+)'\)/g)].map(([, from = '']) =>
        targetOf(path, from),
      );
      return [path, [...imports.map(({ target }) => target), ...later]];
    }),
  );
  const reached = new Map([...targets.keys()].map((path) => [path, reachedFrom(path, targets)]));
  const circles = [...reached].map(([path, all]) =>
    [...all].filter((other) => reached.get(other)?.has(path)).toSorted(),
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()].filter(({ length }) => length > 0);
}

function reachedFrom(path: string, targets: ReadonlyMap<string, readonly string[]>): Set<string> {
  const reached = new Set(targets.get(path));
  for (const one of reached) for (const target of targets.get(one) ?? []) reached.add(target);
  return reached;
}

/** Whether `path` is one of the files, or lies in one of the folders, which end in `/`. */
export function isAmong(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

/** Every import of `files` that `isOffence` finds fault with, by file and line. */
export function offences(
  files: readonly SourceFile[],
  isOffence: (file: SourceFile, found: Import) => boolean,
): string[] {
  return files.flatMap((file) =>
    file.imports
      .filter((found) => isOffence(file, found))
      .map(({ line, target }) => `${file.path}:${line} imports ${target}`),
  );
}
