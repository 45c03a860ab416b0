import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';

import { postgresQueues } from '../../src/backplane/local.ts';
import { RetryLater } from '../../src/backplane/backplane.ts';
import { RESOLVE_ROUND } from '../../src/jobs/resolve/resolve-jobs.ts';
import { ADMIN_ACTIONS } from '../../src/rules/admin-actions.ts';
import { type Player, predict, register } from '../support/agents.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { createTestDatabase } from '../support/database.ts';
import { decide } from '../support/outcomes.ts';
import { recording } from '../support/queues.ts';
import { endQuietly } from '../support/quiet-end.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound, firstOf } from '../support/rounds.ts';
import { startService, type TestService } from '../support/service.ts';
import { FAULTLESS, visit } from '../support/visit.ts';
import { until } from '../support/poll.ts';
import { act, newestAction, statusOf, TOKEN, waitingRound } from './admin.ts';

let service: TestService;
let player: Player;
const opened = new AsyncDisposableStack();

/** A service beside a queue with a job that has failed once and is to be tried again. */
beforeAll(async () => {
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const queue = await postgresQueues(database.connection, () => {})({
    name: RESOLVE_ROUND,
    run: () => Promise.reject(new RetryLater('No source of prices answered.', 3_600_000)),
  });
  opened.defer(() => queue.close());
  service = await startService({
    database,
    adminToken: TOKEN,
    backplane: {
      status: () => [{ part: 'queue', driver: 'postgresql', up: true }],
      openQueue: async () => ({ ...recording([]), counts: () => queue.counts(), jobs: () => queue.jobs() }),
    },
  });
  opened.defer(() => endQuietly(service));
  await queue.add({ id: 'resolve-round-1' });
  await until('the job failed once', async () => (await queue.jobs())[0]?.attempts === 1);
  player = await register(service, 'player');
});

afterAll(() => opened.disposeAsync());

/** A form as a browser sends it; `cookie` as it was given. */
async function post(path: string, fields: Readonly<Record<string, string>>, cookie?: string) {
  return fetch(service.url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
    headers: cookie === undefined ? {} : { cookie },
  });
}

async function cookieOf(headers: Readonly<Record<string, string>> = {}) {
  const body = new URLSearchParams({ token: TOKEN });
  const answer = await fetch(`${service.url}/admin/login`, { method: 'POST', body, redirect: 'manual', headers });
  expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin']);
  return answer.headers.get('set-cookie') ?? '';
}

async function formTokenOf(cookie: string): Promise<string> {
  const text = await (await fetch(`${service.url}/admin`, { headers: { cookie } })).text();
  return /name="form" value="([0-9a-f]{64})"/.exec(text)?.[1] ?? '';
}

test('metrics and the list of queues count jobs, and the list has attempts and last errors', async () => {
  const { body } = await service.request('GET', '/metrics');
  expect(body).toContain(`hourcast_queue_jobs{queue="${RESOLVE_ROUND}",state="delayed"} 1`);
  expect(body).toContain('hourcast_dependency_up{part="queue",driver="postgresql"} 1');
  const queues = (await service.request('GET', '/admin/queues', { key: TOKEN })).body;
  const job = { id: 'resolve-round-1', state: 'delayed', attempts: 1, last_error: 'No source of prices answered.' };
  expect(queues).toEqual({
    queues: { [RESOLVE_ROUND]: { waiting: 0, delayed: 1, active: 0, failed: 0 } },
    jobs: [job],
  });
});

describe('signed out', () => {
  test('a signed-out browser gets only the form, without frames and scripts', async () => {
    const answer = await service.request('GET', '/admin');
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('type="password"');
    expect(answer.body).not.toContain('Audit');
    expect(answer.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
  });

  test('a forged cookie or form does nothing', async () => {
    const cookie = await cookieOf();
    const [value = ''] = cookie.split(';');
    const form = await formTokenOf(value);
    const path = `/admin/act/agents/${player.id}/block`;
    const fields = { reason: 'Forged', sure: 'yes' };
    const far = `hourcast_operator=9999999999999.${'0'.repeat(64)}`;
    for (const [given, offered] of [
      [undefined, form],
      [value, undefined],
      [value, '0'.repeat(64)],
      [value.replace(/.$/, (end) => (end === '0' ? '1' : '0')), form],
      [far, form],
      [TOKEN, form],
    ] as const)
      expect((await post(path, { ...fields, ...(offered && { form: offered }) }, given)).status).toBe(401);
    expect((await predict(service, player)).status).toBe(201);
    // A page of another site can send JSON neither, and the cookie is nothing to the endpoints for programs.
    const asProgram = { headers: { cookie: value }, body: { reason: 'Forged' } };
    expectRefusal(await service.request('POST', `/admin/agents/${player.id}/block`, asProgram), 401);
    expectRefusal(await service.request('GET', '/admin/audit', { headers: { cookie: value } }), 401);
  });

  test('a wrong token does not sign in', async () => {
    const answer = await post('/admin/login', { token: `${TOKEN}x` });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([401, null]);
    expect((await post('/admin/login', {})).status).toBe(401);
  });
});

test('the cookie is HttpOnly, SameSite, Secure with TLS, and expires after 12 hours', async () => {
  const cookie = await cookieOf();
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/admin', 'Max-Age=43200']) expect(cookie).toContain(part);
  expect(cookie).not.toContain('Secure');
  expect(cookie).not.toContain(TOKEN);
  await using behindTls = await startTrusting();
  const answer = await fetch(`${behindTls.url}/admin/login`, {
    method: 'POST',
    body: new URLSearchParams({ token: TOKEN }),
    redirect: 'manual',
    headers: { 'x-forwarded-proto': 'https', 'x-forwarded-for': '10.0.0.1' },
  });
  expect(answer.headers.get('set-cookie')).toContain('Secure');
  const [value = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  const look = async () => (await fetch(`${behindTls.url}/admin`, { headers: { cookie: value } })).text();
  expect(await look()).toContain('Audit');
  behindTls.clock.set(new Date(behindTls.clock.now().getTime() + 12 * 3_600_000));
  expect(await look()).not.toContain('Audit');
});

async function startTrusting() {
  const started = await startService({ adminToken: TOKEN, trustProxy: true });
  return { ...started, [Symbol.asyncDispose]: () => started.stop() };
}

(hasBrowser() ? describe : describe.skip)('operators’ page without JavaScript', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    opened.defer(() => browser.close());
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
    page = await context.newPage();
    await page.goto(`${service.url}/admin`);
    await page.getByLabel('ADMIN_TOKEN').fill(TOKEN);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'The desk' }).waitFor();
  });

  /** Follows the link of an action, gives the reason, sees what it would do, and does it. */
  let orders = 0;
  let spokenIn = 0;
  async function carryOut(action: string, id: number, name?: string): Promise<string> {
    orders += 1;
    const reason = `By page: ${action}, ${orders}`;
    await page.goto(`${service.url}/admin${name === undefined ? '' : `?search=${id}`}`);
    await page
      .getByRole('link', { name: `${action} ${id}`, exact: true })
      .first()
      .click();
    await page.getByLabel('Why, in a sentence').fill(reason);
    if (name !== undefined && action === 'rename') await page.getByLabel('The new name').fill(name);
    if (name !== undefined && action === 'amend') await page.getByLabel('The winning answer').fill(name);
    if (action === 'hide') await page.getByLabel('The id of the round').fill(`${spokenIn}`);
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    const before = await newestAction(service);
    const effect = (await page.locator('strong').last().textContent()) ?? '';
    expect(before?.reason).not.toBe(reason);
    await page.getByRole('button', { name: 'Do it' }).click();
    expect(await page.getByRole('status').textContent()).toBe(effect);
    expect(await newestAction(service)).toMatchObject({ action, reason });
    expect(page.url()).not.toContain(TOKEN);
    return page.content();
  }

  test('the operators’ page has waiting rounds first, and does every action on rounds', async () => {
    const waiting = await waitingRound(service, await register(service, 'second'));
    await page.goto(`${service.url}/admin`);
    const attention = page.getByRole('region', { name: 'Rounds that wait' });
    expect(await attention.textContent()).toContain(`${waiting.id}`);
    expect(await attention.textContent()).toContain('does not have all final candles');
    const jobs = page.getByRole('region', { name: 'Jobs and their attempts' });
    expect(await jobs.textContent()).toContain('resolve-round-1delayed1No source of prices answered.');
    await carryOut('retry', waiting.id);
    expect(await statusOf(service, waiting.id)).toBe('resolving');
    decide(service, waiting, firstOf(waiting.choices));
    await carryOut('retry', waiting.id);
    await carryOut('resolve', waiting.id);
    const amended = await carryOut('amend', waiting.id, waiting.choices[1]);
    expect(amended).toContain(`<td>rounds</td><td>[${waiting.id}]</td>`);
    expect(await carryOut('resolve', waiting.id)).toContain('<td>unchanged</td><td>false</td>');
    const { round } = (await service.request('GET', `/api/rounds/${waiting.id}`)).body;
    expect(round).toMatchObject({
      outcome: waiting.choices[1],
      amendments: [{ previous_outcome: waiting.choices[0] }],
    });
    const { id } = await currentRound(service);
    await carryOut('void', id);
    expect(await statusOf(service, id)).toBe('void');
  });

  test('the operators’ page does every action on agents, and shows a new key once', async () => {
    const { id } = await register(service, 'third');
    const shown = await carryOut('rekey', id, 'third');
    const [key = ''] = /pk_live_[0-9a-f]{48}/.exec(shown) ?? [];
    expect((await service.request('GET', '/api/me', { key })).status).toBe(200);
    await page.goto(`${service.url}/admin?search=third`);
    expect(await page.content()).not.toContain(key);
    await service.nextHour();
    await predict(service, { key }, { rationale: 'Because' });
    spokenIn = (await currentRound(service)).id;
    for (const action of ['rename', 'block', 'unblock', 'hide', 'remove']) await carryOut(action, id, 'another-name');
    const tried = ['void', 'retry', 'resolve', 'amend', 'rekey', 'rename', 'block', 'unblock', 'hide', 'remove'];
    expect(ADMIN_ACTIONS.filter(({ of }) => of !== 'keys').map(({ name }) => name)).toEqual(tried);
  });

  test('actions that nothing takes back are apart and marked, and times are for people', async () => {
    await page.goto(`${service.url}/admin?search=player`);
    const names = (of: string) => page.getByRole('region', { name: 'Agents found' }).locator(of).allInnerTexts();
    expect(await names('tr .switches > .button')).toContain('rename');
    expect(await names('tr .grave > .button')).toEqual(expect.arrayContaining(['rekey', 'hide', 'remove']));
    expect((await names('time'))[0]).toMatch(/^\w{3}, \w{3} \d+, \d\d:\d\d$/);
    await page.goto(`${service.url}/admin/act/agents/${player.id}/remove`);
    await page.getByLabel('Why, in a sentence').fill('To see it');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    expect(await page.getByRole('button', { name: 'Do it' }).getAttribute('class')).toBe('grave');
  });

  test('a row is a card on a phone, with the names of its columns, and a row on a desk', async () => {
    await page.goto(`${service.url}/admin`);
    const row = page.getByRole('region', { name: 'The newest rounds' }).locator('tbody tr').first();
    const shapeOf = () =>
      row.evaluate((tr) => [
        getComputedStyle(tr).display,
        getComputedStyle(tr.querySelector('td[data-head="status"]') ?? tr, '::before').content,
      ]);
    expect(await shapeOf()).toEqual(['block', '"status"']);
    await page.setViewportSize({ width: 1280, height: 900 });
    expect(await shapeOf()).toEqual(['table-row', 'none']);
    await page.setViewportSize({ width: 390, height: 844 });
  });

  test('the operators’ page shows refusals', async () => {
    const { id } = await register(service, 'fourth');
    await act(service, 'block', id, '<b>"Loud"</b>');
    await page.goto(`${service.url}/admin?search=fourth`);
    expect(await page.content()).toContain('&lt;b&gt;"Loud"&lt;/b&gt;');
    await page.goto(`${service.url}/admin/act/agents/${id}/block`);
    await page.getByLabel('Why, in a sentence').fill('Twice');
    await page.getByRole('button', { name: 'Show what it would do' }).click();
    expect(await page.getByRole('alert').textContent()).toBe(`Agent ${id} is already blocked.`);
    const result = { refused: `Agent ${id} is already blocked.`, dry_run: true };
    expect(await newestAction(service)).toMatchObject({ action: 'block', agent_id: id, reason: 'Twice', result });
  });

  test('the operators’ page signs out', async () => {
    await page.goto(`${service.url}/admin`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('ADMIN_TOKEN').waitFor();
  });
});

(hasBrowser() ? test : test.skip)('axe finds no fault on any page, and the pages fit a phone', async () => {
  const browser = await openBrowser();
  opened.defer(() => browser.close());
  const visitor = await visit(browser, service.url);
  const { page } = visitor;
  const faultless = async () => {
    expect(await visitor.faultsInAllLooks()).toEqual(FAULTLESS);
  };
  await visitor.open('/admin');
  await faultless();
  await page.getByLabel('ADMIN_TOKEN').fill(TOKEN);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'The desk' }).waitFor();
  await faultless();
  await visitor.picture('operators');
  await visitor.open(`/admin/act/agents/${player.id}/rename`);
  await faultless();
  await page.getByLabel('Why, in a sentence').fill('To see it');
  await page.getByRole('button', { name: 'Show what it would do' }).click();
  await faultless();
  expect(visitor.foreign).toEqual([]);
  expect(visitor.complaints).toEqual([]);
});
