import { expect, test } from '@jest/globals';

import { launch, type Settings } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';
import { sharedDisposable } from '../support/shared.ts';

const database = sharedDisposable(processDatabase);
const settings = (): Settings => ({ ...database.settings, LOG_LEVEL: 'info', CLOCKSPEED: '180' });

test('without a terminal each line of a run is JSON: settings, misspelt ones, and the address', async () => {
  await using service = await launch({ ...settings(), ADMIN_TOKEN: 'open-sesame-open' });
  const { code, stdout, stderr } = await service.end();
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String) });
  expect(lines.map(({ msg }) => msg)).toEqual(
    expect.arrayContaining([
      'CLOCKSPEED is not a setting and is ignored; did you mean CLOCK_SPEED?',
      'Settings in effect',
      service.announcement,
      'Stopped',
    ]),
  );
  const { settings: logged } = lines.find(({ msg }) => msg === 'Settings in effect');
  expect(logged).toMatchObject({ PORT: '0', MARKET: 'simulated', CLOCK_SPEED: '1', ADMIN_TOKEN: 'set' });
  expect(stdout).not.toContain('sesame');
});

test('pretty lines are for people: the event in words, then what to open', async () => {
  await using service = await launch({ ...settings(), LOG_FORMAT: 'pretty' });
  const { code, stdout, stderr } = await service.end();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: Settings in effect \{"settings":.+\}$/m);
  expect(stdout).toContain(`\n${service.announcement}\n`);
  expect(stdout).toMatch(new RegExp(`^ {2}GraphQL, with an IDE +${service.url}/graphql$`, 'm'));
  expect(stdout).toMatch(/^\[.+\] INFO: Stopped$/m);
  expect(stdout).not.toContain('{"level"');
});
