import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

import type { Findings } from '../../src/verify/findings.ts';
import { checkLog } from '../../src/verify/log/log-check.ts';
import { CannotVerify } from '../../src/verify/settings.ts';
import { verify } from '../../src/verify/verification.ts';
import { ownFolder } from '../support/own-folder.ts';
import { seeded } from '../support/seeded.ts';
import { sharedField } from '../support/shared.ts';
import { type Lie, type LyingService, lyingService } from './lying-service.ts';

const field = sharedField({ agents: 3, seed: 5, minutes: [7.501], keeping: { bytes: 0 } }, async (played) => {
  await played.play(3);
  // Without answers: nothing else shows whose an answer to a void round was.
  await played.playWithoutPrices(0);
  await played.play(2);
  await played.sleep(24);
  await played.play(2);
  await played.predict();
});
/** Others find other lies: `SEED=2 npm run test:long -- test/verify/one-lie`. */
const seed = Number(process.env['SEED'] ?? 1);
const isOfPrediction = (name: string): boolean => name.startsWith('/api/export/predictions');
const folder = ownFolder();
const needs = { print: () => {}, wait: async () => {} };

type Command = (url: string) => Promise<Findings>;
const verifyAll: Command = (url) => verify({ url, rounds: null, candles: null }, needs);
const verifyLog: Command = (url) => checkLog(url, join(folder, `${randomUUID()}.json`), needs);

test('verify of a service with one lie ends in findings or a refusal, and finds all lies about decided predictions', async () => {
  await using service = await lyingService(field.service.url);
  const unseen = await liesUnseenBy(verifyAll, service);
  const ofPredictions = unseen.filter(({ name }) => isOfPrediction(name));
  // Older exports have no `standing`, which reads as no; names are compared with nothing, as an operator may erase them.
  const known = / # (agent_name: |standing: absent)/;
  expect(ofPredictions.filter(({ name }) => !known.test(name)).map(({ name }) => `${name} (seed ${seed})`)).toEqual([]);
});

test('verify of the log of a service with one lie ends in findings or a refusal, and finds all lies about leaves', async () => {
  await using service = await lyingService(field.service.url);
  const unseen = await liesUnseenBy(verifyLog, service);
  const ofLeaves = unseen.filter(({ name }) => isOfPrediction(name) || name.startsWith('/log/'));
  // A leaf has no names, and nothing that follows from answers, places, scores and the lead; its hash finds it, whatever its index.
  const known =
    /^\/log\/entries\/#: flipped| # ((agent_name|answers|arena_edge|brier|contribution|edge|peer_score|pnl_usd|question_type|round_status|streak_bonus): |standing: (absent|negative)|(start_time|submitted_at): a second later)/;
  expect(ofLeaves.filter(({ name }) => !known.test(name)).map(({ name }) => `${name} (seed ${seed})`)).toEqual([]);
});

async function liesUnseenBy(run: Command, service: LyingService): Promise<readonly Lie[]> {
  const { differences, alarms } = await run(service.url);
  expect({ differences, alarms }).toEqual({ differences: [], alarms: [] });
  const most = 3 * service.takeRequests();
  const unseen: Lie[] = [];
  const lies = service.lies(seeded(seed), isOfPrediction);
  expect(lies.length).toBeGreaterThan(30);
  for (const lie of lies) {
    service.serve(lie, most);
    if (await isUnseen(run, service.url, lie)) unseen.push(lie);
    expect({ lie: lie.name, seed, endsInTime: service.takeRequests() <= most }).toMatchObject({ endsInTime: true });
  }
  return unseen;
}

/** Throws if the command ends in any other way than by its findings or its own refusal. */
async function isUnseen(run: Command, url: string, { name }: Lie): Promise<boolean> {
  try {
    const { differences, alarms } = await run(url);
    return differences.length + alarms.length === 0;
  } catch (cause) {
    if (cause instanceof CannotVerify) return false;
    throw new Error(`After ${name} (seed ${seed})`, { cause });
  }
}
