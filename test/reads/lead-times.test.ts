import { describe, expect, test } from '@jest/globals';

import { ask, dataOf } from '../support/asking.ts';
import type { Fact } from '../support/played-field.ts';
import { sharedField } from '../support/shared.ts';

// Agents answer in one of these minutes: each lead time has some.
const field = sharedField({ agents: 5, seed: 3, minutes: [3, 22, 35, 50, 57] }, async (one) => {
  await one.play(20);
  await one.play(20);
});

/** From the schema's words: minutes before the end, the upper one left out. */
const LEADS = [
  ['45-60', 45, 61],
  ['30-45', 30, 45],
  ['15-30', 15, 30],
  ['5-15', 5, 15],
  ['0-5', 0, 5],
] as const;

type Lead = (typeof LEADS)[number];

const HOUR_MS = 3_600_000;

function hasLead([, from, to]: Lead, { end, submittedAt }: Fact): boolean {
  const minutes = (end.getTime() - submittedAt.getTime()) / 60_000;
  return minutes >= from && minutes < to;
}

/** Scored predictions of the last day, or of all time. */
async function scored(window: 'daily' | 'alltime'): Promise<readonly Fact[]> {
  const facts = (await field.facts()).filter(({ status }) => status === 'resolved');
  const newest = Math.max(...facts.map(({ end }) => end.getTime()));
  return facts.filter(({ end }) => window === 'alltime' || newest - end.getTime() < 24 * HOUR_MS);
}

function right({ prediction, outcome }: Fact): number {
  return Number(prediction === outcome);
}

function calibrationOf(facts: readonly Fact[]) {
  const brier = facts.reduce((sum, one) => sum + (one.confidence / 100 - right(one)) ** 2, 0) / facts.length;
  const bins = Array.from({ length: 10 }, (_, tenth) =>
    facts.filter(({ confidence }) => Math.min(9, Math.floor(confidence / 10)) === tenth),
  );
  return {
    n: facts.length,
    brier: facts.length === 0 ? null : expect.closeTo(brier, 9),
    bins: bins.map((inside) => ({
      n: inside.length,
      hitRate:
        inside.length === 0
          ? null
          : expect.closeTo(inside.reduce((sum, one) => sum + right(one), 0) / inside.length, 9),
    })),
  };
}

const SHOWN = '{ n brier bins { n hitRate } }';

describe('calibration by lead time', () => {
  test.each(['daily', 'alltime'] as const)(
    'calibration of all agents by lead time equals a recount in the window %s',
    async (window) => {
      const facts = await scored(window);
      for (const lead of LEADS) {
        const own = facts.filter((one) => hasLead(lead, one));
        const { stats } = await dataOf(
          field.service,
          `{ stats { all: calibration(window: ${window}, leadTime: "${lead[0]}") ${SHOWN}
          ofType: calibration(window: ${window}, leadTime: "${lead[0]}", questionType: [direction, podium]) ${SHOWN}
          ofAsset: calibration(window: ${window}, leadTime: "${lead[0]}", asset: "ETH") ${SHOWN} } }`,
        );
        expect(own.length).toBeGreaterThan(0);
        expect(stats.all).toEqual(calibrationOf(own));
        expect(stats.ofType).toEqual(
          calibrationOf(own.filter(({ questionType }) => ['direction', 'podium'].includes(questionType))),
        );
        expect(stats.ofAsset).toEqual(calibrationOf(own.filter(({ assets }) => assets.includes('ETH'))));
      }
    },
  );

  test.each(['daily', 'alltime'] as const)(
    'calibration of one agent by lead time equals a recount in the window %s',
    async (window) => {
      const [agentId = 0] = field.agents;
      const facts = (await scored(window)).filter((one) => one.agentId === agentId);
      for (const lead of LEADS) {
        const { agent } = await dataOf(
          field.service,
          `{ agent(id: ${agentId}) { calibration(window: ${window}, leadTime: "${lead[0]}") ${SHOWN} } }`,
        );
        expect(agent.calibration).toEqual(calibrationOf(facts.filter((one) => hasLead(lead, one))));
      }
    },
  );

  test('another lead time is refused with the accepted ones', async () => {
    const { errors } = await ask(field.service, '{ stats { calibration(leadTime: "0-60") { n } } }');
    expect(errors[0]?.message).toBe('leadTime must be one of 45-60, 30-45, 15-30, 5-15, 0-5 (got "0-60").');
  });
});

const GROUP = '{ keys { dimension value } n hitRate { mean } brier { mean low high n } edge { mean low high n } }';

describe('breakdown of all agents', () => {
  test('the breakdown has the groups of each agent, also with another property', async () => {
    for (const [also, beside] of [
      ['', []],
      [', QUESTION_TYPE', ['QUESTION_TYPE']],
      [', LEAD_TIME', ['LEAD_TIME']],
    ] as const) {
      const { groups } = await dataOf(
        field.service,
        `{ groups: breakdown(by: [AGENT${also}], window: weekly) ${GROUP} }`,
      );
      const expected = [];
      for (const agentId of field.agents) {
        const { agent, own } = await dataOf(
          field.service,
          `{ agent(id: ${agentId}) { name } own: breakdown(by: [${[...beside, 'WEEKDAY'].slice(0, 1).join()}],
            agentId: ${agentId}, window: weekly) ${GROUP} }`,
        );
        if (beside.length === 0) expected.push(agent.name);
        else
          for (const { keys, ...figures } of own)
            expected.push({ keys: [{ dimension: 'AGENT', value: agent.name }, ...keys], ...figures });
      }
      if (beside.length > 0) expect(groups).toEqual(expected);
      else expect(groups.map(({ keys }: { keys: { value: string }[] }) => keys[0]?.value)).toEqual(expected);
    }
  });

  test('the breakdown of all agents covers a month at most, one agent’s all time', async () => {
    const { errors } = await ask(field.service, '{ breakdown(by: [AGENT]) { n } }');
    expect(errors[0]?.message).toBe(
      'window must be one of daily, weekly, monthly when all agents are grouped by AGENT (got null).',
    );
    const [agentId = 0] = field.agents;
    const { breakdown } = await dataOf(field.service, `{ breakdown(by: [AGENT], agentId: ${agentId}) { n } }`);
    expect(breakdown).toEqual([{ n: (await scored('alltime')).filter((one) => one.agentId === agentId).length }]);
  });
});
