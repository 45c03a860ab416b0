import { expect, test } from '@jest/globals';

import { judgeAudit } from '../../scripts/audit.ts';

function report(vulnerabilities: Record<string, number>): string {
  return JSON.stringify({ auditReportVersion: 2, vulnerabilities: {}, metadata: { vulnerabilities } });
}

const NONE = { info: 0, low: 0, moderate: 0, high: 0, critical: 0, total: 0 };

test('dependencies without high or critical vulnerabilities pass', () => {
  expect(judgeAudit(report(NONE))).toEqual({
    passes: true,
    sentence: 'Dependencies: 0 high or critical vulnerabilities, 0 lighter ones.',
  });
  expect(judgeAudit(report({ ...NONE, low: 2, moderate: 3, total: 5 })).passes).toBe(true);
});

test('one high or critical vulnerability fails the audit', () => {
  expect(judgeAudit(report({ ...NONE, high: 1, total: 1 })).passes).toBe(false);
  expect(judgeAudit(report({ ...NONE, critical: 1, total: 1 }))).toEqual({
    passes: false,
    sentence: 'Dependencies: 1 high or critical vulnerabilities, 0 lighter ones. See: npm audit --omit=dev',
  });
});

test.each([
  ['that has no such list', JSON.stringify({ message: '405 Method Not Allowed - POST', statusCode: 405, error: {} })],
  ['that was not reached', JSON.stringify({ error: { code: 'ECONNREFUSED', summary: 'request failed' } })],
  ['that returned nothing', ''],
])('a registry %s passes the audit with a note', (_which, text) => {
  expect(judgeAudit(text)).toEqual({
    passes: true,
    sentence: expect.stringMatching(/^Dependencies are not audited: /),
  });
});
