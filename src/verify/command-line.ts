import { reportLines } from './report.ts';
import { CannotVerify, settingsOf } from './settings.ts';
import { verify } from './verification.ts';

/**
 * Works a service's published outcomes, scores, totals and boards out again from its public answers and the pure rules.
 * Returns 0 when everything is the same, 1 when something differs, 2 for bad arguments or a service that does not answer.
 */
export async function verifyCommand(words: readonly string[]): Promise<0 | 1 | 2> {
  try {
    const findings = await verify(settingsOf(words), { say });
    for (const line of reportLines(findings)) say(line);
    return findings.differences.length > 0 ? 1 : 0;
  } catch (error) {
    if (!(error instanceof CannotVerify)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
