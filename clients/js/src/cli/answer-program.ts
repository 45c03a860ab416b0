import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly prediction: string;
  readonly confidence: number;
  readonly rationale?: string;
  readonly model?: string;
}

/** The caller's program gave no answer. */
export class ProgramFailed extends Error {}

interface Run {
  /** Written to the program's standard input. */
  readonly input: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The program's output as an answer; null for no output, which sits the round out. Its standard error is shown. */
export async function runProgram(command: string, { input, timeoutMs, signal }: Run): Promise<Answer | null> {
  // A process group, so that the end includes all child processes.
  const isGroup = process.platform !== 'win32';
  const child = spawn(command, { shell: true, detached: isGroup, stdio: ['pipe', 'pipe', 'inherit'] });
  let cause: string | null = null;
  const end = (why: string): void => {
    cause = why;
    kill(child, isGroup);
  };
  const timer = setTimeout(() => end('the program did not finish before the round ended'), timeoutMs);
  const stop = (): void => end('it was ended');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  // The program need not read its input.
  child.stdin.on('error', () => {}).end(`${input}\n`);
  try {
    const [printed, [code, killedBy]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    if (cause !== null) throw new ProgramFailed(cause);
    if (code !== 0) throw new ProgramFailed(`the program ended with ${killedBy ?? `code ${code}`}`);
    return answerIn(printed);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function kill(child: ChildProcessByStdio<Writable, Readable, null>, isGroup: boolean): void {
  const { pid } = child;
  try {
    if (isGroup && pid !== undefined) process.kill(-pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The whole output as JSON, or else its last line: programs may print more. */
export function answerIn(printed: string): Answer | null {
  const whole = printed.trim();
  if (whole === '') return null;
  const last = whole.split('\n').at(-1)?.trim() ?? '';
  const answer = asJson(whole) ?? asJson(last) ?? asWords(last);
  if (answer !== null) return answer;
  throw new ProgramFailed(
    `the program's last line must be an answer such as BTC 60 or {"prediction": "BTC", "confidence": 60} (got ${last.slice(0, 100)})`,
  );
}

function asJson(printed: string): Answer | null {
  try {
    return asAnswer(JSON.parse(printed));
  } catch {
    return null;
  }
}

function asAnswer(value: unknown): Answer | null {
  const { prediction, confidence, rationale, model } = Object(value);
  if (typeof prediction !== 'string' || typeof confidence !== 'number') return null;
  const why = typeof rationale === 'string' ? { rationale } : {};
  return { prediction, confidence, ...why, ...(typeof model === 'string' ? { model } : {}) };
}

/** Throws for an invalid answer. */
export function answerOf(value: unknown): Answer {
  const answer = asAnswer(value);
  if (answer !== null) return answer;
  throw new ProgramFailed(
    `an answer must be such as {"prediction": "BTC", "confidence": 60} (got ${JSON.stringify(value)})`,
  );
}

function asWords(line: string): Answer | null {
  const [, prediction, confidence] = /^(\w+)[\s,]+(\d{1,3})(?:\.0+)?\s*%?$/.exec(line) ?? [];
  return prediction === undefined ? null : { prediction, confidence: Number(confidence) };
}
