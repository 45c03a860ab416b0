import { promises } from 'node:dns';

import { describe, expect, test } from '@jest/globals';

import { checkedWebhookUrl } from '../../src/rules/webhooks.ts';
import { addressOf, isRefusedAddress } from '../../src/webhooks/addresses.ts';

/** Addresses that lead into the operator's network, however they are written, and what else is not for webhooks. */
const HOSTILE_URLS = [
  ['loopback', 'https://127.0.0.1/'],
  ['loopback with zeros left out', 'https://127.1/'],
  ['loopback in decimal', 'https://2130706433/'],
  ['loopback in hex', 'https://0x7f000001/'],
  ['loopback in hex by parts', 'https://0x7f.0.0.0x1/'],
  ['loopback in octal', 'https://0177.0.0.01/'],
  ['loopback with a dot behind it', 'https://127.0.0.1./'],
  ['loopback in wide digits', 'https://１２７.0.0.1/'],
  ['loopback in percent signs', 'https://%31%32%37.0.0.1/'],
  ['all of loopback', 'https://127.255.255.254/'],
  ['this host', 'https://0.0.0.0/'],
  ['this host in short', 'https://0/'],
  ['private 10', 'https://10.1.2.3/'],
  ['private 172.16', 'https://172.31.255.1/'],
  ['private 192.168', 'https://192.168.0.1/'],
  ["a cloud's metadata", 'https://169.254.169.254/latest/meta-data/'],
  ["a cloud's metadata in decimal", 'https://2852039166/'],
  ['shared (CGNAT)', 'https://100.64.0.1/'],
  ['IETF protocols', 'https://192.0.0.8/'],
  ['documents', 'https://203.0.113.7/'],
  ['tests of networks', 'https://198.18.0.1/'],
  ['6to4 relay', 'https://192.88.99.1/'],
  ['many receivers', 'https://224.0.0.1/'],
  ['reserved', 'https://240.0.0.1/'],
  ['everybody', 'https://255.255.255.255/'],
  ['loopback of version 6', 'https://[::1]/'],
  ['loopback of version 6, written out', 'https://[0:0:0:0:0:0:0:1]/'],
  ['no address of version 6', 'https://[::]/'],
  ['loopback mapped', 'https://[::ffff:127.0.0.1]/'],
  ['loopback mapped, in hex', 'https://[::ffff:7f00:1]/'],
  ['loopback, compatible', 'https://[::127.0.0.1]/'],
  ['loopback by NAT64', 'https://[64:ff9b::7f00:1]/'],
  ['private by local NAT64', 'https://[64:ff9b:1::a00:1]/'],
  ['loopback by 6to4', 'https://[2002:7f00:1::]/'],
  ['loopback by Teredo', 'https://[2001:0:7f00:1::]/'],
  ['unique local', 'https://[fd00::1]/'],
  ['link local', 'https://[fe80::1]/'],
  ['many receivers of version 6', 'https://[ff02::1]/'],
  ['documents of version 6', 'https://[2001:db8::1]/'],
  ['newer documents of version 6', 'https://[3fff::1]/'],
  ['all of shared (CGNAT)', 'https://100.127.255.254/'],
  ['all tests of networks', 'https://198.19.255.254/'],
  ['all of many receivers', 'https://239.255.255.250/'],
  ['all protocols of version 6', 'https://[2001:1ff:ffff::1]/'],
  ['all newer documents of version 6', 'https://[3fff:fff:ffff::1]/'],
  ['http', 'http://bot.example/'],
  ['a file', 'file:///etc/passwd'],
  ['another protocol', 'gopher://bot.example/'],
  ['no address', 'bot.example'],
  ['another port', 'https://bot.example:6379/'],
  ['a password', 'https://bot:secret@bot.example/'],
  ['too long', `https://bot.example/${'a'.repeat(1_000)}`],
] as const;

/** What names may lead to. */
const HOSTILE_NAMES = [
  ['loopback', ['127.0.0.1']],
  ['a private address behind a public one', ['93.184.216.34', '10.0.0.1']],
  ['a private address before a public one', ['10.0.0.1', '93.184.216.34']],
  ['loopback of version 6 beside a public one', ['93.184.216.34', '::1']],
  ['a mapped address', ['::ffff:10.0.0.1']],
  ['a link-local address with its zone', ['fe80::1%eth0']],
  ['nothing', []],
] as const;

describe('public addresses only', () => {
  test.each(HOSTILE_URLS)('an address of %s is refused', (_what, url) => {
    expect(() => checkedWebhookUrl(url, 'public', isRefusedAddress)).toThrow(/^url must be an address/);
  });

  test.each(HOSTILE_NAMES)(
    'a name that resolves to %s is not called, always with the same error',
    async (_what, found) => {
      const resolved = addressOf('bot.example', 'public', async () => found);
      await expect(resolved).rejects.toThrow(expect.objectContaining({ name: 'AddressRefused', message: '' }));
    },
  );

  test.each([
    'https://bot.example/',
    'https://bot.example:8443/x?y=1',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    // Addresses next to a refused network.
    'https://100.63.255.255/',
    'https://100.128.0.0/',
    'https://172.15.255.255/',
    'https://172.32.0.0/',
    'https://198.17.255.255/',
    'https://198.20.0.0/',
    'https://[2001:200::]/',
    'https://[3fff:1000::]/',
  ])('the address %s is accepted', (url) => {
    expect(checkedWebhookUrl(url, 'public', isRefusedAddress).href).toBe(url);
  });

  test('a name whose lookup fails is refused as one that leads to a private address', async () => {
    const resolved = addressOf('bot.example', 'public', () => Promise.reject(new Error('No name servers')));
    await expect(resolved).rejects.toThrow(expect.objectContaining({ name: 'AddressRefused', message: '' }));
  });

  test('a name is resolved once, so that a later address is not called', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const address = await addressOf('bot.example', 'public', async () => answers.shift() ?? []);
    expect([address, answers]).toEqual(['93.184.216.34', [['127.0.0.1']]]);
  });
});

test('each lookup uses the present name servers', async () => {
  const servers = ['93.184.216.34', '93.184.216.35'];
  class Resolver {
    readonly #found = servers.shift();
    readonly resolve4 = async () => [this.#found];
    readonly resolve6 = async () => [];
  }
  const { Resolver: real } = promises;
  Object.assign(promises, { Resolver });
  try {
    expect(await addressOf('bot.example', 'public')).toBe('93.184.216.34');
    expect(await addressOf('bot.example', 'public')).toBe('93.184.216.35');
  } finally {
    Object.assign(promises, { Resolver: real });
  }
});

function refusalOf(url: string): string {
  try {
    return checkedWebhookUrl(url, 'public', isRefusedAddress).href;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

test('a refusal has the fault of the address without its password', () => {
  expect(refusalOf('https://[::ffff:127.0.0.1]/')).toBe(
    'url must be an address on the public internet (got "[::ffff:7f00:1]").',
  );
  expect(refusalOf('https://bot.example:22/')).toBe('url must be an address on port 443 or 8443 (got "22").');
  for (const scheme of ['https', 'http'])
    expect(refusalOf(`${scheme}://bot:secret@bot.example/x`)).toBe(
      `url must be an address without name and password (got "${scheme}://...@bot.example").`,
    );
  expect(refusalOf('http://bot.example/')).toMatch(/begins with https:\/\//);
});

test('a service for any address accepts private ones, http and other ports', () => {
  for (const url of ['http://127.0.0.1:8080/', 'https://10.0.0.1/', 'http://bot.lan/'])
    expect(checkedWebhookUrl(url, 'any', isRefusedAddress).href).toBe(url);
  expect(() => checkedWebhookUrl('ftp://bot.lan/', 'any', isRefusedAddress)).toThrow(/http/);
});
