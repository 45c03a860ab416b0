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

/** The files of a folder and of those in it. */
export function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => sourceFile(join(folder, name)));
}

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, lines: text.split('\n'), imports: [...importsOf(path, text)] };
}

function* importsOf(path: string, text: string): Generator<Import> {
  for (const found of text.matchAll(/^(?:import|export)\b(?:[^;']*?\bfrom )?\s*['"]([^'"]+)['"]/gm)) {
    const [statement, from = ''] = found;
    const line = text.slice(0, found.index + statement.length).split('\n').length;
    const target = from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
    yield { line, target };
  }
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
