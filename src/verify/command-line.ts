import { reportLines } from './report.ts';
import { CannotVerify, settingsOf } from './settings.ts';
import { verify } from './verification.ts';

/** The code is 0 without differences, 1 with some, 2 for bad arguments or an unreachable service. */
export async function verifyCommand(args: readonly string[]): Promise<{ code: 0 | 1 | 2; stderr?: string }> {
  try {
    const findings = await verify(settingsOf(args), { say });
    for (const line of reportLines(findings)) say(line);
    return { code: findings.differences.length > 0 ? 1 : 0 };
  } catch (error) {
    if (!(error instanceof CannotVerify)) throw error;
    return { code: 2, stderr: `${error.message}\n` };
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
