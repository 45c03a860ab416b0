interface Counts {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numTotalTests: number;
}

/** A reporter that fails runs without an executed test, such as one whose `-t` matches no name. */
export default class SomeExecuted {
  error: Error | undefined;

  onRunComplete(_contexts: unknown, { numPassedTests, numFailedTests, numTotalTests }: Counts): void {
    if (numTotalTests === 0 || numPassedTests + numFailedTests > 0) return;
    this.error = new Error(`No test was executed: all ${numTotalTests} were skipped`);
    process.stderr.write(`\n${this.error.message}\n`);
  }

  getLastError(): Error | undefined {
    return this.error;
  }
}
