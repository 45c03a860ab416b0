import { reportLines } from './verify/report.ts';
import { CannotVerify, settingsOf } from './verify/settings.ts';
import { verify } from './verify/verification.ts';

/**
 * Works a service's published outcomes, scores, totals and boards out again from its public answers and the pure rules.
 * Exits with 0 when everything is the same, 1 when something differs, 2 for bad arguments or a service that cannot be
 * asked.
 */
const say = (line: string): void => void process.stdout.write(`${line}\n`);
try {
  const findings = await verify(settingsOf(process.argv.slice(2)), { say });
  for (const line of reportLines(findings)) say(line);
  process.exitCode = findings.differences.length > 0 ? 1 : 0;
} catch (error) {
  if (!(error instanceof CannotVerify)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
