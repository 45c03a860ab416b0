/** The result of a check, with the sentence to print. */
export interface Verdict {
  readonly passes: boolean;
  readonly sentence: string;
}

/** Prints a verdict; the exit code is 1 unless it passes. */
export function printVerdict({ passes, sentence }: Verdict): void {
  process.stdout.write(`${sentence}\n`);
  process.exitCode = passes ? 0 : 1;
}
