import { describe, expect, test } from '@jest/globals';
import { array, assert, integer, property, string } from 'fast-check';

import { addressKey } from '../../src/rules/address-key.ts';

/** The key of an address, given as halves of four groups each. */
function keyOf(...halves: readonly string[][]): string {
  return addressKey(halves.flat().join(':'));
}

describe('address keys', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:c000:0207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::9', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['', ''],
    ['unknown', 'unknown'],
    ['1:2:3', '1:2:3'],
    ['1::2::3', '1::2::3'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8::9]:443', '2001:db8:0:0::/64'],
    ['[fe80::1%eth0]:443', 'fe80:0:0:0::/64'],
    ['[2001:0db8:0001:0002:0003:0004:0005:0006]:65535', '2001:db8:1:2::/64'],
  ])('%s counts as %s', (address, key) => {
    expect(addressKey(address)).toBe(key);
  });

  test('IPv6 addresses with the same first 64 bits are one, and others are not', () => {
    const group = integer({ min: 0, max: 0xff_ff }).map((value) => value.toString(16));
    const half = array(group, { minLength: 4, maxLength: 4 }).filter((groups) => groups[0] !== '0');
    assert(
      property(half, half, half, half, (network, other, host, otherHost) => {
        expect(keyOf(network, host)).toBe(keyOf(network, otherHost));
        if (network.join() !== other.join()) expect(keyOf(network, host)).not.toBe(keyOf(other, host));
      }),
    );
  });

  test('an address key is short, whatever text a proxy forwards', () => {
    assert(property(string({ maxLength: 500 }), (text) => addressKey(text).length <= 45));
  });
});
