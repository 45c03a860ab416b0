import { execFile } from 'node:child_process';
import { pathToFileURL } from 'node:url';

import { printVerdict, type Verdict } from './verdict.ts';

const GRAVE = ['high', 'critical'] as const;
const LIGHT = ['moderate', 'low', 'info'] as const;

/**
 * High and critical vulnerabilities fail the check; lighter ones are listed. Without an answer of the registry the check passes,
 * so that nobody is blocked.
 */
export function judgeAudit(report: string): Verdict {
  const counts = countsIn(parsed(report));
  if (counts === null) {
    return { passes: true, sentence: 'Dependencies are not audited: the registry said nothing about vulnerabilities.' };
  }
  const grave = GRAVE.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
  const light = LIGHT.reduce((sum, severity) => sum + (counts[severity] ?? 0), 0);
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

function countsIn(report: unknown): Readonly<Record<string, number>> | null {
  const counts = property(property(report, 'metadata'), 'vulnerabilities');
  if (typeof counts !== 'object' || counts === null) return null;
  return Object.fromEntries(Object.entries(counts).filter(([, count]) => typeof count === 'number'));
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
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
