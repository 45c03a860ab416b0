/** An option's value. Ends the process with a sentence unless it is a whole number from 1. */
export function wholeNumber(name: string, text: string): number {
  if (/^[1-9]\d*$/.test(text)) return Number(text);
  process.stderr.write(`--${name} must be a whole number from 1 (got ${text})\n`);
  process.exit(1);
}
