import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { delimiter, dirname, extname, join, normalize } from 'node:path';
import { json } from 'node:stream/consumers';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';

import { openFolder } from '../support/data-folder.ts';
import { recordOf, send } from '../support/http.ts';
import { listening } from '../support/listening.ts';
import { until } from '../support/poll.ts';
import { processDatabase } from '../support/process-database.ts';
import { type ServiceProcess, serviceProcess } from '../support/service-process.ts';
import { type RoughProxy, roughProxy } from './rough-proxy.ts';

/*
 * The examples as people run them: in a clone after `npm ci`, by the command in their first lines, with the Node and the Python of the
 * machine. All run beside one another, against a service whose hours take 4 s. It is killed and started again once while they run, and
 * what they ask over HTTP goes wrong once in a while on its way.
 */

const ROOT = join(import.meta.dirname, '../..');
const CHROMIUM = '/usr/bin/chromium';
const hasPython = spawnSync('python3', ['--version']).status === 0;
const hasChromium = existsSync(CHROMIUM);
if (process.env['CI'] === 'true' && !(hasPython && hasChromium)) {
  throw new Error(`The examples need python3 and ${CHROMIUM}, and one of them is not there`);
}
const testWithPython = hasPython ? test : test.skip;
const testWithChromium = hasChromium ? test : test.skip;

const PROGRAMS = ['bot.mjs', 'llm-forecaster.mjs', 'bot.py', 'analysis.py'] as const;

type Program = (typeof PROGRAMS)[number];

const BOTS: readonly { readonly name: string; readonly program: Program }[] = [
  { name: 'bot-js', program: 'bot.mjs' },
  { name: 'bot-llm-stub', program: 'llm-forecaster.mjs' },
  { name: 'bot-llm', program: 'llm-forecaster.mjs' },
  ...(hasPython ? [{ name: 'bot-py', program: 'bot.py' } as const] : []),
];

/** Where a shell of the reader's looks for programs: npm puts the packages' Node before its own. */
const PATH = [
  ...(process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules')),
  dirname(process.execPath),
].join(delimiter);

const closing = new AsyncDisposableStack();
const bots = new Map<string, { key: string; child: ChildProcess; output: string[] }>();
const prompts: string[] = [];
let clone: string;
let service: ServiceProcess;
let proxy: RoughProxy;
let page: Page | undefined;
let restartedIn = 0;

beforeAll(async () => {
  clone = await openFolder('hourcast clone ');
  closing.defer(() => rm(clone, { recursive: true }));
  for (const part of ['examples', 'clients/js/src', 'clients/python/src', 'clients/scaffold', 'src'])
    cpSync(join(ROOT, part), join(clone, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const database = closing.use(await processDatabase());
  service = await serviceProcess({ ...database.settings, CLOCK_SPEED: '900' });
  closing.defer(async () => void (await service.end()));
  await service.start();
  proxy = closing.use(await roughProxy(service.url));
  const model = await serve(languageModel);
  for (const { name, program } of BOTS) await startBot(name, program, name === 'bot-llm' ? model : undefined);
  page = hasChromium ? await openDashboard() : undefined;
  await until('two scored predictions of each bot', async () => {
    const all = await Promise.all(BOTS.map(({ name }) => predictionsOf(name)));
    return all.every((predictions) => predictions.filter(({ score }) => score !== null).length >= 2);
  });
  restartedIn = await currentRoundId();
  await service.end('SIGKILL');
  await service.start();
  await until('a scored prediction of each bot in a round after the restart', async () => {
    const all = await Promise.all(BOTS.map(({ name }) => predictionsOf(name)));
    return all.every((predictions) => predictions.some((one) => one.round_id > restartedIn && one.score !== null));
  });
});
afterAll(() => closing.disposeAsync());

/** The command in a program's first lines. */
function commandOf(program: Program): string {
  const text = readFileSync(join(ROOT, 'examples', program), 'utf8');
  const [command = ''] = new RegExp(`HOURCAST_URL=.* examples/${program}$`, 'm').exec(text) ?? [];
  return command;
}

/** Starts that command, with settings in place of those that it shows. */
function start(program: Program, settings: Readonly<Record<string, string>>) {
  const [file = '', ...parameters] = commandOf(program)
    .split(' ')
    .filter((word) => !/^[A-Z_]+=/.test(word));
  const env = { PATH, HOME: clone, HOURCAST_URL: proxy.url, ...settings };
  return spawn(file, parameters, { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function startBot(name: string, program: Program, model?: string): Promise<void> {
  const { body } = await send(service.url, { method: 'POST', path: '/api/agents/register', body: { name } });
  const child = start(program, {
    HOURCAST_KEY: body.api_key,
    ...(model === undefined ? {} : { LLM_URL: `${model}/v1`, LLM_MODEL: 'tiny', LLM_KEY: 'llm-key' }),
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => output.push(text.toString()));
  bots.set(name, { key: body.api_key, child, output });
  closing.defer(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
}

async function predictionsOf(name: string): Promise<readonly { round_id: number; score: number | null }[]> {
  const key = bots.get(name)?.key;
  return (await send(service.url, { method: 'GET', path: '/api/me', key })).body.recent_predictions;
}

async function currentRoundId(): Promise<number> {
  return (await send(service.url, { method: 'GET', path: '/api/stats' })).body.active_round_id;
}

type Listener = Parameters<typeof createServer>[1];

/** A server of this process; answers its address. */
async function serve(listener: NonNullable<Listener>): Promise<string> {
  return closing.use(await listening(createServer(listener))).url;
}

/** Answers as models do: with prose and a fence around what was wanted. */
const languageModel: NonNullable<Listener> = async (request, response) => {
  const { model, messages } = recordOf(await json(request));
  const prompt = Array.isArray(messages) ? String(recordOf(messages.at(-1))['content']) : '';
  prompts.push(`${request.headers.authorization} ${String(model)} ${prompt}`);
  const choice = /^Choices: (\w+)/m.exec(prompt)?.[1];
  const forecast = JSON.stringify({ prediction: choice, probability: 0.61 });
  const content = `Momentum is {weak}.\n\`\`\`json\n${forecast}\n\`\`\``;
  response.end(JSON.stringify({ choices: [{ message: { role: 'assistant', content } }] }));
};

/** The page at an origin of its own, as a static server in the project's folder gives it. */
async function openDashboard(): Promise<Page> {
  const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript' };
  const origin = await serve((request, response) => {
    const path = normalize(new URL(request.url ?? '', 'http://page').pathname);
    if (!existsSync(join(ROOT, path))) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-type', types[extname(path)] ?? 'text/plain');
    response.end(readFileSync(join(ROOT, path)));
  });
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  closing.defer(() => browser.close());
  const opened = await browser.newPage();
  await opened.goto(`${origin}/examples/dashboard.html?service=${service.url}`);
  await opened.getByText('live', { exact: true }).waitFor();
  return opened;
}

test('the README of the examples has the command from the first lines of each', () => {
  const readme = readFileSync(join(ROOT, 'examples/README.md'), 'utf8');
  const shown = [...readme.matchAll(/^((?:node|python3) examples\/\S+)/gm)].map(([, command]) => command);
  expect(shown).toEqual(PROGRAMS.map((program) => commandOf(program).replaceAll(/[A-Z_]+=\S+ /g, '')));
});

test.each(BOTS)('$name answers before and after the kill, once a round', async ({ name }) => {
  const { child, key, output } = bots.get(name) ?? {};
  expect({ exit: child?.exitCode, printed: output?.join('') }).toMatchObject({
    exit: null,
    printed: expect.stringMatching(/^Round \d+: (\w+) was (right|wrong), -?\d+ points$/m),
  });
  expect(output?.join('')).toMatch(/Again in [\d.]+ s/);
  const rounds = (await predictionsOf(name)).map(({ round_id: id }) => id);
  expect(rounds).toEqual([...new Set(rounds)]);
  expect([rounds.some((id) => id < restartedIn), rounds.some((id) => id > restartedIn)]).toEqual([true, true]);
  expect(['answer lost', 'busy', 'faulty'].filter((mishap) => !proxy.happened.has(`${key} ${mishap}`))).toEqual([]);
  // An answer that was lost is no reason for a second prediction, nor for a refusal.
  expect(output?.join('')).not.toMatch(/refused: .*already/);
});

test('llm-forecaster.mjs sends its key and the question to the model, and submits its answer', async () => {
  expect(prompts[0]).toMatch(/^Bearer llm-key tiny Question: .+\n\nChoices: /);
  const profile = (await send(service.url, { method: 'GET', path: '/api/me', key: bots.get('bot-llm')?.key })).body;
  const confidences = new Set(profile.recent_predictions.map(({ confidence }: { confidence: number }) => confidence));
  expect([...confidences]).toEqual([61]);
});

testWithChromium(`dashboard.html continues from another origin over a kill (needs ${CHROMIUM})`, async () => {
  if (page === undefined) throw new Error('The page must be open');
  await page.getByText('live', { exact: true }).waitFor();
  await page.locator('#recent tr').nth(2).waitFor();
  await page.locator('#board', { hasText: 'bot-js' }).waitFor();
  const question = page.locator('#question');
  const least = await currentRoundId();
  await until('the current question', async () => Number(/\d+/.exec(await question.innerText())?.[0]) >= least);
});

testWithPython('analysis.py lists every agent, also when the export breaks off (needs python3)', async () => {
  const analysis = start('analysis.py', {});
  const written: string[] = [];
  analysis.stdout.on('data', (text: Buffer) => written.push(text.toString()));
  const [code] = await once(analysis, 'close');
  expect({ code, brokenOff: proxy.happened.has('nobody broken off') }).toEqual({ code: 0, brokenOff: true });
  for (const { name } of BOTS) expect(written.join('')).toMatch(new RegExp(`^ +${name} +\\d+ +\\d+ % \\(`, 'm'));
});
