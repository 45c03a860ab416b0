import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { verify } from '../../src/verify/verification.ts';
import { RULES_VERSION, type RulesVersion } from '../../src/rules/versions.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { scriptedMarket, withOutages } from '../support/scripted-market.ts';
import { withPlanted } from './planting.ts';

const HOURS = 12;

let field: PlayedField;

beforeAll(async () => {
  // In every third hour no price is known, and predictions of version 1 have an edge all the same.
  const prices = withOutages(scriptedMarket(), (hourStart) => hourStart.getUTCHours() % 3 === 1);
  field = await openField({ agents: 5, seed: 3, prices, keeping: { bytes: 0 } });
  for (let hour = 0; hour < HOURS; hour += 1) {
    await scoreBy(1);
    await field.play(1, 0.9);
  }
  await scoreBy(RULES_VERSION);
  await field.play(HOURS, 0.9);
});

afterAll(() => field.service.stop());

/** The rounds that are stored and not over yet become ones of this version. */
async function scoreBy(version: RulesVersion): Promise<void> {
  await sql`update rounds set rules_version = ${version}::int where status in ('upcoming', 'active')`.execute(
    field.service.newEm().getKysely(),
  );
}

async function edgesByVersion() {
  const { rows } = await sql<{ version: number; rounds: number; missing: number }>`
    select rules_version as version, count(distinct r.id)::int as rounds,
      (count(*) filter (where edge_millionths is null))::int as missing
    from rounds r join scores s on s.round_id = r.id group by 1 order by 1`.execute(field.service.newEm().getKysely());
  return rows;
}

function verified() {
  return verify({ url: field.service.url, rounds: null, candles: null }, { print: () => {} });
}

test('rounds keep the results of their version: an edge without a price only in version 1', async () => {
  const [first, second] = await edgesByVersion();
  expect(first).toMatchObject({ version: 1, missing: 0 });
  expect(second?.missing).toBeGreaterThan(5);
  expect([first?.rounds, second?.rounds]).toEqual([HOURS, HOURS]);
});

test('a service verifies without a difference over rounds of both versions', async () => {
  const { differences, compared, notes } = await verified();
  expect({ differences, notes }).toEqual({ differences: [], notes: [] });
  expect(compared).toBeGreaterThan(2000);
});

test("a round with another version's number is reported", async () => {
  const planted = {
    name: 'a version',
    tables: ['rounds'],
    statements: [
      `update rounds set rules_version = 2 where id = (select min(id) from rounds
         where rules_version = 1 and date_part('hour', start_time at time zone 'UTC')::int % 3 = 1) returning 'edge' as name`,
    ],
  };
  await withPlanted(field.service.newEm, planted, async () => {
    const { differences } = await verified();
    expect(new Set(differences.map(({ name }) => name))).toContain('edge');
  });
});
