import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Git ignores it, and CI keeps it. */
const SHOTS = join(import.meta.dirname, '../../screenshots');
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** A wide screen at 200 %. */
const ZOOMED = { width: 640, height: 450 };
/** The narrowest supported screen. */
const NARROW = { width: 320, height: 800 };

/** A page's faults, by look and size. */
interface Faults {
  readonly byDay: readonly string[];
  readonly byNight: readonly string[];
  /** Pixels by which it is wider than a narrow window, and than one at 200 %. */
  readonly narrow: number;
  readonly zoomed: number;
  /** Pixels by which it is wider than a wide window and a phone, with text alone at 200 %. */
  readonly enlarged: readonly [wide: number, phone: number];
  /** Labels of diagrams without a table. */
  readonly bare: readonly string[];
}

/** A visitor of the service's page in a new profile. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Messages of the tab's console. */
  readonly complaints: string[];
  /** Requests to other hosts than the service. */
  readonly foreign: string[];
  open(path: string): Promise<void>;
  heading(): Locator;
  /** The displayed state of the connection. */
  link(): Locator;
  /** Waits until nothing is loading. */
  whole(): Promise<void>;
  /** axe's findings, by rule and place. */
  faults(): Promise<readonly string[]>;
  /** Faults in the light theme on a wide screen, in the dark theme on a narrow one, and at 200 % zoom. */
  faultsInAllLooks(): Promise<Faults>;
  /** Pixels by which the page is wider than a window of this width. */
  tooWide(width: number): Promise<number>;
  /** Pictures of the whole page in the light theme, in the dark theme and on a phone. */
  picture(name: string): Promise<void>;
  /** Controls that the tab key does not reach, or without a visible focus. */
  unreached(): Promise<unknown>;
  /** The cumulative layout shift since the page was opened. */
  shift(): Promise<number>;
}

/** The tab is as wide as a desktop's. */
export async function visit(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext({ viewport: WIDE, reducedMotion: 'reduce' });
  const page = await context.newPage();
  const complaints: string[] = [];
  const foreign: string[] = [];
  const { host } = new URL(url);
  context.on('request', (request) => {
    const address = new URL(request.url());
    if (!/^(data|blob):$/.test(address.protocol) && address.host !== host) foreign.push(request.url());
  });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.addInitScript(`
    globalThis.shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });`);
  const look = async (scheme: 'light' | 'dark', size: typeof WIDE): Promise<void> => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize(size);
    await page.evaluate(PAINTED);
  };
  const faults = async (rules: readonly string[] = []): Promise<readonly string[]> => {
    await page.evaluate(AXE);
    const options = { resultTypes: ['violations'], ...(rules.length > 0 ? { runOnly: rules } : {}) };
    return page.evaluate<string[]>(`axe.run(${JSON.stringify(options)}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);
  };
  const tooWideEnlarged = async (size: typeof WIDE): Promise<number> => {
    await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
    await look('light', size);
    const tooWide = await page.evaluate<number>(TOO_WIDE);
    await page.evaluate(`document.documentElement.style.fontSize = ''`);
    return tooWide;
  };
  return {
    context,
    page,
    complaints,
    foreign,
    open: async (path) => void (await page.goto(url + path)),
    heading: () => page.getByRole('heading', { level: 1 }),
    link: () => page.locator('.link'),
    whole: () => page.locator('.loading').first().waitFor({ state: 'detached' }),
    faults: () => faults(),
    async faultsInAllLooks() {
      const byDay = await faults();
      await look('dark', NARROW);
      const byNight = await faults(OF_LOOKS);
      const narrow = await page.evaluate<number>(TOO_WIDE);
      await look('light', ZOOMED);
      const zoomed = await page.evaluate<number>(TOO_WIDE);
      const enlarged = [await tooWideEnlarged(WIDE), await tooWideEnlarged(PHONE)] as const;
      await look('light', WIDE);
      return { byDay, byNight, narrow, zoomed, enlarged, bare: await page.evaluate<string[]>(WITHOUT_TABLE) };
    },
    async tooWide(width) {
      await look('light', { width, height: WIDE.height });
      return page.evaluate<number>(TOO_WIDE);
    },
    async picture(name) {
      mkdirSync(SHOTS, { recursive: true });
      for (const [view, scheme, size] of LOOKS) {
        await look(scheme, size);
        await page.screenshot({ path: join(SHOTS, `${name}-${view}.png`), fullPage: true });
      }
      await look('light', WIDE);
    },
    async unreached() {
      await page.evaluate(MARK_REACHED);
      const stops = await page.evaluate<number>(`document.querySelectorAll('${WORKED_WITH}').length`);
      for (let stop = 0; stop <= stops; stop += 1) await page.keyboard.press('Tab');
      return page.evaluate(UNREACHED);
    },
    shift: () => page.evaluate<number>('globalThis.shifted'),
  };
}

/** A page without faults. */
export const FAULTLESS: Faults = { byDay: [], byNight: [], narrow: 0, zoomed: 0, enlarged: [0, 0], bare: [] };

const LOOKS = [
  ['light', 'light', WIDE],
  ['dark', 'dark', WIDE],
  ['phone', 'light', PHONE],
] as const;

/** Resolves when changes are on the screen. */
const PAINTED = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))';

/** Rules that depend on look or size; the others concern the content. */
const OF_LOOKS = ['color-contrast', 'link-in-text-block', 'scrollable-region-focusable', 'target-size'];

/** Pixels by which the page is wider than the window. */
const TOO_WIDE = 'document.documentElement.scrollWidth - window.innerWidth';

/** Labels of diagrams without a table of their figures. */
const WITHOUT_TABLE = `[...document.querySelectorAll('.frame')]
  .filter((frame) => !frame.nextElementSibling?.matches('details.behind'))
  .map((frame) => frame.querySelector('svg')?.getAttribute('aria-label'))`;

const WORKED_WITH = 'a[href], button, input, select, summary, [tabindex="0"]';

/** Marks elements with a visible focus. */
const MARK_REACHED = `document.addEventListener('focusin', ({ target }) => {
  const shown = target.matches('.tabs input, .picks input, .crowd-bar input') ? target.parentElement : target;
  const { width, height } = shown.getBoundingClientRect();
  if (width > 0 && height > 0) target.dataset.reached = '';
})`;

/** The tab key reaches one choice of a group; arrow keys reach the others. */
const UNREACHED = `[...document.querySelectorAll('${WORKED_WITH}')]
  .filter((one) => one.dataset.reached === undefined && one.checkVisibility({ visibilityProperty: true }) && !one.disabled)
  .filter((one) => one.type !== 'radio' ||
    !document.querySelector('input[name="' + one.name + '"][data-reached]'))
  .map((one) => one.outerHTML.slice(0, 120))`;
