import { join } from 'node:path';

import { type Ended, type Program, run, start } from './programs.ts';
import { INSTALLED, type Language } from './languages.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');

const COMMANDS: Readonly<Record<Language['language'], readonly string[]>> = {
  JavaScript: [process.execPath, join(CLIENTS, 'js/src/cli/main.ts')],
  Python: ['python3', '-m', 'hourcast'],
};

/** What a command is called with. */
export interface Call {
  readonly url: string;
  /** None: an empty one. */
  readonly key?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The longest file that `runInto` may write: 0 stands for a full disk. */
  readonly maxFileBlocks?: number;
}

/** A command line, from its sources. */
export interface CommandLine {
  readonly language: Language['language'];
  /** In a pipe. */
  start(words: readonly string[], call: Call): Program;
  run(words: readonly string[], call: Call): Promise<Ended>;
  /** Writes its results into this file. */
  runInto(file: string, words: readonly string[], call: Call): Promise<Ended>;
  /** On a terminal, which has both outputs in `stdout`. */
  runOnTerminal(words: readonly string[], call: Call): Promise<Ended>;
}

export const COMMAND_LINES: readonly CommandLine[] = INSTALLED.map(({ language }) => {
  const command = COMMANDS[language];
  return {
    language,
    start: (words, call) => start([...command, ...words], surroundings(call)),
    run: (words, call) => run([...command, ...words], surroundings(call)),
    runInto: (file, words, call) =>
      run(
        ['sh', '-c', `ulimit -f ${call.maxFileBlocks ?? 'unlimited'}; exec "$@" > ${file}`, 'sh', ...command, ...words],
        surroundings(call),
      ),
    runOnTerminal: (words, call) =>
      run(['script', '-qec', [...command, ...words].map(quoted).join(' '), '/dev/null'], surroundings(call)),
  };
});

function surroundings({ url, key = '', cwd, env }: Call) {
  const own = { HOURCAST_URL: url, HOURCAST_KEY: key, TERM: 'xterm', ...env };
  const python = { PYTHONPATH: join(CLIENTS, 'python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  return { env: { ...own, ...python }, ...(cwd === undefined ? {} : { cwd }) };
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
