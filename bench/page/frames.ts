import { setTimeout as delay } from 'node:timers/promises';

import { sql } from 'kysely';
import type { Page } from 'playwright-core';

import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { hashOf } from '../../test/support/arena.ts';
import type { PlayedField } from '../../test/support/played-field.ts';

/** Longer frames are visible. */
const LONG_MS = 50;

export interface Frames {
  readonly frames: number;
  readonly seconds: number;
  /** Frames of more than 50 ms. */
  readonly long: number;
  readonly longestMs: number;
}

export async function framesDuring(page: Page, during: () => Promise<void>): Promise<Frames> {
  await page.evaluate(`(() => {
    const seen = globalThis.seenFrames = { times: [], isOver: false };
    const next = (time) => {
      seen.times.push(time);
      if (!seen.isOver) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  })()`);
  await during();
  const times = await page.evaluate<number[]>('(globalThis.seenFrames.isOver = true, globalThis.seenFrames.times)');
  const lengths = times.slice(1).map((time, index) => time - (times[index] ?? time));
  return {
    frames: lengths.length,
    seconds: ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000,
    long: lengths.filter((length) => length > LONG_MS).length,
    longestMs: Math.max(...lengths),
  };
}

/** Answers one after the other, evenly over `ms`. */
export async function answersOver({ service, agents, random }: PlayedField, ms: number): Promise<void> {
  const { rows } = await sql<{ id: number; choices: string[] }>`
    select id, choices from rounds where status = 'active'`.execute(service.newEm().getKysely());
  const [round] = rows;
  if (round === undefined) throw new Error('No round is active');
  const writer = predictionWriter(service.submissions, service.clock, 0);
  const began = performance.now();
  for (const [index, agentId] of agents.entries()) {
    await delay(Math.max(0, began + (ms * index) / agents.length - performance.now()));
    await writer.write({
      roundId: round.id,
      keyHash: hashOf(agentId),
      prediction: random.pick(round.choices),
      confidence: random.between(0, 100),
      idempotencyKey: null,
    });
  }
}
