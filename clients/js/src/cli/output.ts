/** Results go to standard output, everything else to standard error. */
export interface Output {
  readonly isJson: boolean;
  /** A line of the result for people; nothing with `--json`. */
  line(text?: string): void;
  /** A value of the result for programs, in a line; nothing without `--json`. */
  json(value: unknown): void;
  /** A line about the progress, not part of the result. */
  note(text: string): void;
  /** Shown for work that takes longer than a second. */
  progress(text: string): void;
  /** Removes the line of `progress`. */
  idle(): void;
  paint(colour: Colour, text: string): string;
}

const COLOURS = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33 } as const;

export type Colour = keyof typeof COLOURS;

interface Terminal {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

interface OutputParts {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isJson: boolean;
}

const SHOWN_AFTER_MS = 1000;
const TERMINAL_MS = 250;
/** Files get progress at this interval only. */
const FILE_MS = 10_000;
const CLEAR_LINE = '\r\u001B[K';

export function outputTo({ stdout, stderr, environment, isJson }: OutputParts): Output {
  const isPlain = Boolean(environment['NO_COLOR']) || environment['TERM'] === 'dumb' || stdout.isTTY !== true;
  let shown = '';
  let doing = '';
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    if (shown !== '' && stderr.isTTY === true) stderr.write(CLEAR_LINE);
    shown = '';
  };
  const show = (): void => {
    if (doing !== shown) stderr.write(stderr.isTTY === true ? CLEAR_LINE + doing : `${doing}\n`);
    shown = doing;
    timer = setTimeout(show, stderr.isTTY === true ? TERMINAL_MS : FILE_MS).unref();
  };
  const write = (to: Terminal, text: string): void => {
    clear();
    to.write(`${text}\n`);
  };
  return {
    isJson,
    line(text = '') {
      if (!isJson) write(stdout, text);
    },
    json(value) {
      if (isJson) write(stdout, JSON.stringify(value));
    },
    note: (text) => write(stderr, text),
    progress(text) {
      doing = text;
      timer ??= setTimeout(show, SHOWN_AFTER_MS).unref();
    },
    idle() {
      clearTimeout(timer);
      timer = undefined;
      clear();
    },
    paint: (colour, text) => (isPlain ? text : `\u001B[${COLOURS[colour]}m${text}\u001B[0m`),
  };
}
