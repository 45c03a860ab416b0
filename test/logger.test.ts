import { expect, test } from '@jest/globals';

import { makeLogger } from '../src/logger.ts';
import { inScope } from '../src/request-scope.ts';

function logged(write: (log: ReturnType<typeof makeLogger>) => void): string {
  const lines: string[] = [];
  write(makeLogger('info', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

test('a line is JSON with its level, time and message', () => {
  expect(JSON.parse(logged((log) => log.info({ port: 3000 }, 'Started')))).toMatchObject({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    msg: 'Started',
    port: 3000,
  });
});

test('an error has no key and no hash, also if a statement repeats them', () => {
  const hash = 'ab12'.repeat(16);
  const key = `pk_live_${'0f'.repeat(24)}`;
  const error = new Error(`insert into agents values ('${hash}')`, { cause: new Error(`Bearer ${key}`) });
  const line = logged((log) => log.error({ err: error }, 'Failed'));
  expect(line).toContain("insert into agents values ('[hidden]')");
  expect(line).not.toContain(hash);
  expect(line).not.toContain(key);
});

test('an error has no property that a library added', () => {
  const error = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', client: { secretKey: 12345 } });
  const line = logged((log) => log.error({ err: error }, 'Failed'));
  expect(line).toContain('ECONNREFUSED');
  expect(line).not.toContain('12345');
});

test('fields with secrets are redacted', () => {
  const line = logged((log) => log.info({ request: { authorization: 'Bearer x', apiKey: 'y' } }, 'Asked'));
  expect(JSON.parse(line).request).toEqual({ authorization: '[Redacted]', apiKey: '[Redacted]' });
});

test('a secret of the settings is in no line, in any field and encoding', () => {
  const lines: string[] = [];
  const secrets = ['open sesame!', 'with"quotes"', 'p'];
  const log = makeLogger('info', { write: (line) => void lines.push(line) }, secrets);
  log.info({ deep: { er: { still: 'said open sesame! to it' } } }, 'It was with"quotes" again');
  log.error({ err: new Error('postgresql://ann:open%20sesame!@db refused') }, 'Failed');
  const text = lines.join('');
  expect(text).not.toMatch(/sesame|quotes/);
  expect(text).toContain('said [hidden] to it');
  for (const line of lines) expect(JSON.parse(line)).toHaveProperty('msg');
});

test('a key is in no line, in any field', () => {
  const line = logged((log) => log.warn({ path: `/api/pk_live_${'0f'.repeat(24)}` }, `pk_live_${'1e'.repeat(24)}`));
  expect(JSON.parse(line)).toMatchObject({ path: '/api/[hidden]', msg: '[hidden]' });
});

test('lines logged during a request have its id', async () => {
  const lines: string[] = [];
  const log = makeLogger('info', { write: (line) => void lines.push(line) });
  await new Promise<void>((resolve) => {
    inScope({ requestId: 'request-1' }, () => {
      setImmediate(() => {
        log.info('Deep inside');
        resolve();
      });
    });
  });
  log.info('Outside');
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(['request-1', undefined]);
});
