import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { dataOf, registered } from '../support/asking.ts';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let service: TestService;
let ann: { id: number; key: string };

beforeAll(async () => {
  service = await startService({ start: '2026-01-01T12:10:00Z' });
  ann = await registered(service, 'Ann');
  const { currentRound } = await dataOf(service, '{ currentRound { id choices } }');
  await service.request('POST', '/api/predictions', {
    key: ann.key,
    body: { round_id: currentRound.id, prediction: currentRound.choices[0], confidence: 70 },
  });
  for (let hour = 0; hour < 5; hour += 1) await service.nextHour();
});
afterAll(() => service.stop());

test('currentRound is the round of this hour, and nextRound the following one', async () => {
  const { currentRound, nextRound } = await dataOf(
    service,
    `{ currentRound { id status startTime endTime timeRemainingSeconds totalEntries source predictionFormat assets { symbol } }
       nextRound { id status startTime endTime } }`,
  );
  expect(currentRound).toMatchObject({
    status: 'active',
    startTime: '2026-01-01T17:00:00.000Z',
    endTime: '2026-01-01T18:00:00.000Z',
    timeRemainingSeconds: 3000,
    totalEntries: 0,
    source: 'scripted',
  });
  expect(nextRound).toEqual({
    id: currentRound.id + 1,
    status: 'upcoming',
    startTime: '2026-01-01T18:00:00.000Z',
    endTime: '2026-01-01T19:00:00.000Z',
  });
});

test('round is found by id, with evidence, entries and results, and null for an unknown id', async () => {
  const { round, unknown, negative } = await dataOf(
    service,
    `{ round(id: 1) { id status outcome resolutionValue voidReason decidedAt choices
         assets { symbol startPriceUsd endPriceUsd highUsd lowUsd returnPct }
         entries(limit: 9) { agentName prediction confidence } results(limit: 9) { agentName place score isCorrect agent { name } round { id } } }
       unknown: round(id: 999) { id }  negative: round(id: -1) { id } }`,
  );
  expect(round).toMatchObject({
    id: 1,
    status: 'resolved',
    voidReason: null,
    entries: [{ agentName: 'Ann', confidence: 70 }],
  });
  expect(round.choices).toContain(round.outcome);
  expect(round.decidedAt).toMatch(INSTANT);
  expect(round.results).toEqual([
    expect.objectContaining({ agentName: 'Ann', place: 1, agent: { name: 'Ann' }, round: { id: 1 } }),
  ]);
  for (const asset of round.assets) {
    const { startPriceUsd, endPriceUsd, returnPct } = asset;
    expect(returnPct).toBeCloseTo(100 * (endPriceUsd / startPriceUsd - 1), 3);
  }
  expect([unknown, negative]).toEqual([null, null]);
});

const PAGE = `query ($first: Int, $after: String) { rounds(first: $first, after: $after) {
  edges { cursor node { id startTime } } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;

test('rounds come in stable pages, newest first', async () => {
  const other = await startService();
  try {
    for (let hour = 0; hour < 4; hour += 1) await other.nextHour();
    const { rounds: first } = await dataOf(other, PAGE, { variables: { first: 2 } });
    expect(first.nodes).toEqual([{ id: 6 }, { id: 5 }]);
    expect(first.pageInfo).toEqual({
      hasNextPage: true,
      hasPreviousPage: false,
      startCursor: first.edges[0].cursor,
      endCursor: first.edges[1].cursor,
    });
    await other.nextHour();
    const { rounds: second } = await dataOf(other, PAGE, { variables: { first: 3, after: first.pageInfo.endCursor } });
    expect(second.nodes).toEqual([{ id: 4 }, { id: 3 }, { id: 2 }]);
    expect(second.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: true });
    const { rounds: last } = await dataOf(other, PAGE, { variables: { first: 100, after: second.pageInfo.endCursor } });
    expect(last.nodes).toEqual([{ id: 1 }]);
    expect(last.pageInfo.hasNextPage).toBe(false);
    const { rounds: none } = await dataOf(other, PAGE, { variables: { after: last.pageInfo.endCursor } });
    expect(none).toMatchObject({ edges: [], pageInfo: { hasNextPage: false, startCursor: null, endCursor: null } });
  } finally {
    await other.stop();
  }
});

const idsOf = (rounds: { id: number }[]) => rounds.map(({ id }) => id);

test('rounds are filtered by status, question type, asset and time, also combined', async () => {
  const all = (
    await dataOf(service, '{ rounds(first: 100) { nodes { id status questionType startTime assets { symbol } } } }')
  ).rounds.nodes;
  const ids = async (filter: string) =>
    idsOf((await dataOf(service, `{ rounds(${filter}) { nodes { id } } }`)).rounds.nodes);
  const [newest] = all;
  expect(await ids('status: [upcoming, active]')).toEqual(
    idsOf(all.filter((round: { status: string }) => ['upcoming', 'active'].includes(round.status))),
  );
  expect(await ids('status: upcoming')).toEqual([newest.id]);
  expect(await ids('status: []')).toEqual([]);
  expect(await ids('status: null, asset: null, after: null')).toEqual(idsOf(all));
  expect(await ids(`questionType: [${newest.questionType}]`)).toContain(newest.id);
  const solana = all.filter(({ assets }: { assets: { symbol: string }[] }) =>
    assets.some(({ symbol }) => symbol === 'SOL'),
  );
  expect(await ids('asset: "SOL"')).toEqual(idsOf(solana));
  expect(await ids('from: "2026-01-01T13:00:00Z", to: "2026-01-01T15:00:00.000Z"')).toEqual([3, 2]);
  expect(await ids('from: "2026-01-01T14:00:00+01:00", to: "2026-01-01T15:00:00Z", status: resolved')).toEqual([3, 2]);
});

test('an agent is found by id or name in any case, and null if unknown', async () => {
  const { byId, byName, unknown, nobody } = await dataOf(
    service,
    `{ byId: agent(id: ${ann.id}) { name mode totalCompetitions credentialTier winRate recentPredictions { roundId confidence } }
       byName: agent(name: "aNN") { id }  unknown: agent(id: 999) { id }  nobody: agent(name: "nobody") { id } }`,
  );
  expect(byId).toMatchObject({ name: 'Ann', mode: 'compete', totalCompetitions: 1, credentialTier: 'bronze' });
  expect(byId.recentPredictions).toEqual([{ roundId: 1, confidence: 70 }]);
  expect([byName, unknown, nobody]).toEqual([{ id: ann.id }, null, null]);
});

test('fields of the own profile are null for others', async () => {
  const ben = await registered(service, 'Ben');
  const own = `{ agent(id: ${ann.id}) { registeredAt simPnl7d roundsCompeted simPnl30d } }`;
  const { agent } = await dataOf(service, own, { key: ann.key });
  expect(agent).toMatchObject({ registeredAt: expect.stringMatching(INSTANT), roundsCompeted: 1 });
  expect(agent.simPnl7d).toBe(agent.simPnl30d);
  const hidden = { registeredAt: null, simPnl7d: null, roundsCompeted: null, simPnl30d: agent.simPnl30d };
  expect((await dataOf(service, own)).agent).toEqual(hidden);
  expect((await dataOf(service, own, { key: ben.key })).agent).toEqual(hidden);
  expect(
    (await dataOf(service, '{ leaderboard { rankings { agent { roundsCompeted } } } }', { key: ben.key })).leaderboard
      .rankings,
  ).toEqual([{ agent: { roundsCompeted: null } }]);
});

test('leaderboard, me, stats, health and market equal REST', async () => {
  const { leaderboard, alltime, me, stats, health, market } = await dataOf(
    service,
    `{ leaderboard { period updatedAt rankings { rank name totalPoints } } alltime: leaderboard(period: alltime, limit: 1) { period }
       me { id name } stats { totalAgents totalCompetitions topAgent activeRoundId credentialHolders { bronze } }
       health { status service timestamp version marketSource }
       market { timestamp source stale warning assets { symbol priceUsd change24h providerId } } }`,
    { key: ann.key },
  );
  const rest = async (path: string) => (await service.request('GET', path, { key: ann.key })).body;
  const board = await rest('/api/leaderboard');
  const [row] = board.rankings;
  expect(leaderboard).toMatchObject({
    period: 'weekly',
    rankings: [{ rank: 1, name: 'Ann', totalPoints: row.total_points }],
  });
  expect(leaderboard.updatedAt).toMatch(INSTANT);
  expect(new Date(leaderboard.updatedAt)).toEqual(new Date(board.updated_at));
  expect(alltime).toEqual({ period: 'alltime' });
  expect(me).toEqual({ id: ann.id, name: 'Ann' });
  const { total_agents, total_competitions, top_agent, active_round_id } = await rest('/api/stats');
  expect(stats).toMatchObject({
    totalAgents: total_agents,
    totalCompetitions: total_competitions,
    topAgent: top_agent,
    activeRoundId: active_round_id,
  });
  expect(health).toMatchObject({
    status: 'ok',
    version: '9.9.9',
    timestamp: '2026-01-01T17:10:00.000Z',
    marketSource: 'scripted',
  });
  expect(market.timestamp).toMatch(INSTANT);
  expect(market.assets).toHaveLength(8);
});

test('schedule has the next hours, 24 by default, as they are played later', async () => {
  const { schedule, two, nextRound } = await dataOf(
    service,
    `{ schedule { startTime questionType assets } two: schedule(hours: 2) { startTime }
       nextRound { startTime questionType assets { symbol } } }`,
  );
  expect(schedule).toHaveLength(24);
  expect(schedule[0]).toEqual({
    ...nextRound,
    assets: nextRound.assets.map(({ symbol }: { symbol: string }) => symbol),
  });
  expect(two).toEqual([{ startTime: '2026-01-01T18:00:00.000Z' }, { startTime: '2026-01-01T19:00:00.000Z' }]);
});
