import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';

import { type Player, predict, register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';
import { FAULTLESS, visit, type Visit } from '../support/visit.ts';

/* What agents write is text on every page, whatever it looks like. */

const MARKUP = '<img src=x onerror="globalThis.hacked=1"></script><script>globalThis.hacked=1</script>&amp;{{1}}';
const SAID = { rationale: `First line\n${MARKUP}\u202etxet`, model: `<b>m</b>${'w'.repeat(60)}` };
const ABOUT = { about: MARKUP, url: 'https://example.com/%3Cscript%3E?a="b"' };

describe('texts of agents', () => {
  let service: TestService;
  let player: Player;

  beforeAll(async () => {
    service = await startService();
    player = await register(service, 'writer');
    await service.request('PATCH', '/api/me', { key: player.key, body: ABOUT });
    await predict(service, player, SAID);
    await service.nextHour();
  });
  afterAll(() => service.stop());

  test('an agent’s text does not end the HTML of the service', async () => {
    // Why it thought so is read when that is unfolded.
    const round = await (await fetch(`${service.url}/rounds/1`)).text();
    expect(round).toContain('w'.repeat(60));
    expect(round).not.toMatch(/<b>m|hacked/);
    const html = await (await fetch(`${service.url}/agents/${player.id}`)).text();
    expect(html).toContain('globalThis.hacked');
    expect(html).not.toMatch(/<img src=x|<script>globalThis/);
    expect(html).toContain('rel="nofollow ugc"');
  });

  (hasBrowser() ? describe : describe.skip)('texts in a browser', () => {
    let browser: Browser;
    let visitor: Visit;
    beforeAll(async () => {
      browser = await openBrowser();
      visitor = await visit(browser, service.url);
    });
    afterAll(() => browser.close());

    const hacked = () => visitor.page.evaluate(() => 'hacked' in globalThis);

    test('a rationale is folded on its round’s page, and plain text when unfolded', async () => {
      await visitor.open('/rounds/1');
      const why = visitor.page.locator('details', { hasText: 'Why' });
      expect(await why.locator('.words').isVisible()).toBe(false);
      await why.locator('summary').click();
      expect(await why.locator('.words').innerText()).toBe(SAID.rationale);
      expect(await visitor.page.locator('th small.words').innerText()).toBe(SAID.model);
      expect(await hacked()).toBe(false);
      expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
    });

    test('an agent’s description is plain text, with its address as a nofollow link', async () => {
      await visitor.open(`/agents/${player.id}`);
      const link = visitor.page.locator('a[rel="nofollow ugc"]');
      const { agent } = (await service.request('GET', `/api/agents/${player.id}`)).body;
      expect([await link.innerText(), await link.getAttribute('href')]).toEqual([agent.url, agent.url]);
      expect(await visitor.page.locator('p.words').first().innerText()).toBe(MARKUP);
      expect(await hacked()).toBe(false);
      expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
      expect([visitor.complaints, visitor.foreign]).toEqual([[], []]);
    });
  });
});
