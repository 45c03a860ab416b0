import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { z } from 'zod';

import { printVerdict, type Verdict } from './verdict.ts';

const REPORT = z.object({ metadata: z.object({ vulnerabilities: z.record(z.string(), z.number().catch(0)) }) });

const GRAVE = ['high', 'critical'] as const;
const LIGHT = ['moderate', 'low', 'info'] as const;

/**
 * High and critical vulnerabilities fail the check; lighter ones are listed. Without an answer of the registry the check passes,
 * so that nobody is blocked.
 */
export function judgeAudit(report: string): Verdict {
  const { data } = REPORT.safeParse(parsed(report));
  if (data === undefined) {
    return { passes: true, sentence: 'Dependencies are not audited: the registry returned no audit report.' };
  }
  const counted = (severities: readonly string[]): number =>
    severities.reduce((sum, severity) => sum + (data.metadata.vulnerabilities[severity] ?? 0), 0);
  const [grave, light] = [counted(GRAVE), counted(LIGHT)];
  const sentence = `Dependencies: ${grave} high or critical vulnerabilities, ${light} lighter ones.`;
  return grave === 0
    ? { passes: true, sentence }
    : { passes: false, sentence: `${sentence} See: npm audit --omit=dev` };
}

function parsed(report: string): unknown {
  try {
    return JSON.parse(report);
  } catch {
    return null;
  }
}

/** Runtime dependencies only; npm exits with 1 for any vulnerability. */
function npmAudit(): Promise<string> {
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--omit=dev', '--json', '--fetch-retries=0'], (_error, stdout) => resolve(stdout));
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  printVerdict(judgeAudit(await npmAudit()));
}
