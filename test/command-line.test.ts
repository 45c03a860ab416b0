import { expect, test } from '@jest/globals';

import { SETTING_NAMES } from '../src/config.ts';
import { misspelt } from '../src/command-line.ts';

test.each([
  ['CLOCKSPEED', 'CLOCK_SPEED'],
  ['MARKET_SORCES', 'MARKET_SOURCES'],
  ['MARKETS', 'MARKET'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['log_level', 'LOG_LEVEL'],
  ['port', 'PORT'],
  ['MRAKET', 'MARKET'],
])('%s is reported as a misspelt %s', (name, meant) => {
  expect(misspelt(['HOME', name])).toEqual([{ name, meant }]);
});

test('settings and usual variables of a system are not misspelt', () => {
  const usual = [
    'HOME',
    'HOSTNAME',
    'PATH',
    'PWD',
    'SHELL',
    'TERM',
    'LANG',
    'USER',
    'TMPDIR',
    'SHLVL',
    'LOGNAME',
    'POST',
  ];
  expect(misspelt([...SETTING_NAMES, ...usual, 'NODE_ENV', 'NODE_OPTIONS', 'npm_config_cache', 'CI'])).toEqual([]);
});
