import { realNow } from '../clock.ts';
import { StartError } from '../rules/errors.ts';
import { openMonths } from './published/archived-months.ts';
import { checkLog } from './log/log-check.ts';
import { reportLines } from './report.ts';
import { CannotVerify, settingsOf, USAGE } from './settings.ts';
import { watchLog } from './log/watch.ts';
import { verify } from './verification.ts';

/** The code is 0 without differences, 1 with some, 2 for bad arguments or an unreachable service. */
export async function verifyCommand(
  args: readonly string[],
): Promise<{ code: 0 | 1 | 2; stdout?: string; stderr?: string }> {
  if (args.includes('--help') || args.includes('-h')) return { code: 0, stdout: `${USAGE}\n` };
  try {
    const settings = settingsOf(args);
    const { url, log, archives = [] } = settings;
    if (log?.watches === true) {
      await watchLog(url, log, { print, now: realNow, signal: new AbortController().signal });
      return { code: 0 };
    }
    const needs = { print, months: await openMonths(archives) };
    const findings = log === undefined ? await verify(settings, needs) : await checkLog(url, log.file, needs);
    for (const line of reportLines(findings)) print(line);
    return { code: findings.differences.length + findings.alarms.length > 0 ? 1 : 0 };
  } catch (error) {
    if (!(error instanceof CannotVerify || error instanceof StartError)) throw error;
    return { code: 2, stderr: `${error.message}\n` };
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
