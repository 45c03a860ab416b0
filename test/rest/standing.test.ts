import { beforeEach, describe, expect, test } from '@jest/globals';

import { ASSETS } from '../../src/rules/assets.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { QUESTION_TABLE } from '../../src/rules/questions/question-table.ts';
import { type Player, predict, profileOf, register } from '../support/agents.ts';
import { ask } from '../support/asking.ts';
import { decide } from '../support/outcomes.ts';
import { untilItBlocks } from '../support/poll.ts';
import { expectRefusal } from '../support/refusals.ts';
import { type CurrentRound, currentRound, firstOf, secondOf, startOf } from '../support/rounds.ts';
import type { TestService } from '../support/service.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();
const locking = sharedService(() => ({ lockMs: 15 * MINUTE }));

let count = 0;
let agent: Player;

beforeEach(async () => {
  agent = await register(service, `standing-${(count += 1)}`);
});

const set = (rows: unknown, { key }: { key: string } = agent, at: TestService = service) =>
  at.request('PUT', '/api/me/standing', { key, body: { rows } });

/** A row that gives the first choice of any round of the type. */
function rowFor({ question_type, prediction_format, choices }: CurrentRound, confidence = 70) {
  return { question_type, prediction: prediction_format === 'boolean' ? 'YES' : [...choices], confidence };
}

/** Rows that answer any question. */
const EVERY_TYPE = QUESTION_TYPES.map((question_type) => {
  const isChoice = QUESTION_TABLE[question_type].format === 'choice';
  return { question_type, prediction: isChoice ? ASSETS : 'YES', confidence: 70 };
});

async function goTo(minute: number, at: TestService = service): Promise<void> {
  at.clock.set(new Date(startOf(await currentRound(at)).getTime() + minute * MINUTE));
  await at.turn();
}

/** Goes to the first round, the running one included, that meets the condition. */
async function nextRound(isMet: (round: CurrentRound) => boolean): Promise<CurrentRound> {
  for (;;) {
    const round = await currentRound(service);
    if (isMet(round)) return round;
    await service.nextHour();
  }
}

/** The part of a refusal that is about one parameter. */
function of(param: string, start: string) {
  return expect.objectContaining({ param, error: expect.stringMatching(start) });
}

async function entriesOf(round: CurrentRound, at: TestService = service) {
  return (await at.request('GET', `/api/rounds/${round.id}/entries`)).body.entries;
}

describe('standing predictions', () => {
  test('standing predictions are empty at first, returned as set, and empty after deletion', async () => {
    const nothing = { rows: [], lapses_at: null };
    const get = async () => (await service.request('GET', '/api/me/standing', { key: agent.key })).body;
    expect(await get()).toEqual(nothing);
    const rows = [
      { question_type: 'podium', asset: null, prediction: ['ETH', 'BTC'], confidence: 40 },
      { question_type: 'direction', asset: 'BTC', prediction: 'NO', confidence: 0 },
      { question_type: 'direction', prediction: ['YES'], confidence: 100 },
    ];
    const { status, body } = await set(rows);
    expect(status).toBe(200);
    const set_at = service.clock.now().toISOString();
    const end = Math.ceil(service.clock.now().getTime() / HOUR) * HOUR + 168 * HOUR;
    expect(body).toEqual({
      rows: [
        { question_type: 'direction', asset: null, prediction: 'YES', confidence: 100, set_at },
        { question_type: 'direction', asset: 'BTC', prediction: 'NO', confidence: 0, set_at },
        { question_type: 'podium', asset: null, prediction: ['ETH', 'BTC'], confidence: 40, set_at },
      ],
      lapses_at: new Date(end).toISOString(),
    });
    expect(await get()).toEqual(body);
    expect((await set(body.rows)).body).toEqual(body);
    const ended = await service.request('DELETE', '/api/me/standing', { key: agent.key });
    expect([ended.status, ended.body]).toEqual([200, nothing]);
    expect(await get()).toEqual(nothing);
  });

  test('an unchanged standing prediction keeps its age, and a PUT replaces all', async () => {
    const one = { question_type: 'direction', prediction: 'YES', confidence: 60 };
    const other = { question_type: 'touch', prediction: 'NO', confidence: 60 };
    await set([one, other]);
    const before = service.clock.now().toISOString();
    service.clock.set(new Date(service.clock.now().getTime() + 5_000));
    const { body } = await set([{ ...one }, { ...other, confidence: 61 }]);
    expect(body.rows).toMatchObject([
      { question_type: 'direction', set_at: before },
      { question_type: 'touch', set_at: service.clock.now().toISOString() },
    ]);
    expect((await set([other])).body.rows).toHaveLength(1);
  });

  test('GraphQL sets the same standing predictions, visible only to their agent', async () => {
    const document = `mutation ($rows: [StandingPredictionInput!]!) { setStanding(rows: $rows) {
      rows { questionType asset prediction confidence } lapsesAt } }`;
    const rows = [{ questionType: 'direction', asset: 'BTC', prediction: 'NO', confidence: 55 }];
    const { data } = await ask(service, document, { key: agent.key, variables: { rows } });
    expect(data).toMatchObject({ setStanding: { rows: [{ ...rows[0], prediction: ['NO'] }] } });
    const seen = `{ agent(id: ${agent.id}) { standingPredictions { rows { prediction } } } }`;
    expect(await ask(service, seen, {})).toMatchObject({ data: { agent: { standingPredictions: null } } });
    expect(await ask(service, seen, { key: agent.key })).toMatchObject({
      data: { agent: { standingPredictions: { rows: [{ prediction: ['NO'] }] } } },
    });
  });

  test('wrong rows are refused with their index and reason, and nothing is set', async () => {
    const good = { question_type: 'direction', prediction: 'YES', confidence: 60 };
    const rows = [
      good,
      { ...good, question_type: 'weather' },
      { ...good, asset: 'XRP' },
      { ...good, question_type: 'relative', asset: 'BTC', prediction: ['BTC'] },
      { ...good, question_type: 'touch', prediction: 'BTC' },
      { ...good, question_type: 'podium' },
      { ...good, question_type: 'best_performer', prediction: ['BTC', 'BTC'] },
      { ...good, question_type: 'range', confidence: 101 },
      good,
      { ...good, question_type: 'momentum', aset: 'BTC' },
      7,
    ];
    const answer = await set(rows);
    expectRefusal(answer, 400, /^A field must be one of question_type, asset, prediction, confidence \(got "aset"\)/);
    expect(answer.body.errors).toEqual([
      of('rows[9].aset', '^A field must be one of'),
      of('rows[1].question_type', String.raw`^rows\[1\].question_type must be one of relative, .* \(got "weather"\)`),
      of('rows[2].asset', String.raw`^rows\[2\].asset must be one of BTC, .* \(got "XRP"\)`),
      of('rows[3].asset', 'must be left out of relative, which is about several assets'),
      of('rows[4].prediction', String.raw`must be one of YES, NO \(got "BTC"\)`),
      of('rows[5].prediction', 'must be a list without repeats of BTC, '),
      of('rows[6].prediction', 'must be a list without repeats of BTC, '),
      of('rows[7].confidence', String.raw`must be a whole number from 0 to 100 \(got 101\)`),
      of('rows[8]', 'must be the only row of its question type and asset; rows.0. has them too'),
      of('rows[10].question_type', String.raw`\(got nothing\)`),
    ]);
    expectRefusal(await set('YES'), 400, /^rows must be a list of objects/);
    expectRefusal(await set(undefined), 400, /^rows is required/);
    expectRefusal(await set(Array.from({ length: 27 }, () => good)), 400, /^rows must be a list of at most 26 rows/);
    expect((await service.request('GET', '/api/me/standing', { key: agent.key })).body.rows).toEqual([]);
  });

  test('spectators and requests without a key cannot set standing predictions', async () => {
    const spectator = await register(service, `watching-${count}`, { mode: 'spectate' });
    const rows = [{ question_type: 'direction', prediction: 'YES', confidence: 60 }];
    expectRefusal(await set(rows, spectator), 403, /^A spectator cannot predict/);
    expectRefusal(await service.request('PUT', '/api/me/standing', { body: { rows } }), 401, /key/);
  });
});

test('an agent that an operator removes meanwhile sets nothing', async () => {
  const rows = [{ question_type: 'direction', prediction: 'YES', confidence: 60 }];
  await set(rows);
  const { answer } = await service.newEm().transactional(async (em) => {
    await em.execute('update agents set removed_at = ? where id = ?', [service.clock.now(), agent.id]);
    for (const table of TABLES) await em.execute(`delete from ${table} where agent_id = ?`, [agent.id]);
    const sent = set(rows);
    await untilItBlocks(em);
    return { answer: sent };
  });
  expect((await answer).body).toEqual({ rows: [], lapses_at: null });
  for (const table of TABLES)
    expect(await service.newEm().execute(`select from ${table} where agent_id = ?`, [agent.id])).toEqual([]);
});

const TABLES = ['standing_rows', 'standing_agents'];

describe('10 minutes before the close', () => {
  test('a standing prediction is submitted once for a silent agent, and marked as such', async () => {
    const round = await currentRound(service);
    const other = await register(service, `answering-${count}`);
    await set([rowFor(round)]);
    await set([rowFor(round)], other);
    await predict(service, other, { prediction: secondOf(round.choices), confidence: 80 });
    await goTo(49);
    expect(await entriesOf(round)).toHaveLength(1);
    await goTo(50);
    const made = { agent_id: agent.id, prediction: firstOf(round.choices), confidence: 70, standing: true };
    expect(await entriesOf(round)).toMatchObject([{ agent_id: other.id, standing: false }, made]);
    const { data } = await ask(service, '{ currentRound { totalEntries crowd { n } forecast { entries } } }');
    expect(data).toEqual({ currentRound: { totalEntries: 2, crowd: { n: 1 }, forecast: { entries: 1 } } });
    const stored = 'select total_entries, confidence_sum from rounds where id = ?';
    expect(await service.newEm().execute(stored, [round.id])).toEqual([{ total_entries: 2, confidence_sum: 150 }]);
    await set([{ ...rowFor(round), confidence: 10 }]);
    const late = await register(service, `too-late-${count}`);
    await set([rowFor(round)], late);
    await goTo(55);
    expect(await entriesOf(round)).toMatchObject([{ standing: false }, made]);
    expect((await service.request('GET', `/api/rounds/${round.id}`)).body.round.total_entries).toBe(2);
    expectRefusal(await predict(service, agent), 409, /already predicted/);
    decide(service, round, firstOf(round.choices));
    await service.nextHour();
    const results = (await service.request('GET', `/api/rounds/${round.id}/results`)).body.predictions;
    expect(results).toMatchObject([{ agent_id: agent.id, standing: true, is_correct: 1 }, { standing: false }]);
    const { recent_predictions } = await profileOf(service, agent);
    expect(recent_predictions).toMatchObject([{ standing: true, is_correct: 1 }]);
    const own = (await service.request('GET', '/api/me/predictions', { key: agent.key })).body.predictions;
    expect(own).toMatchObject([{ standing: true, edge: expect.any(Number) }]);
    const exported = await service.request('GET', `/api/export/predictions.ndjson?agent_id=${agent.id}`);
    expect(exported.body).toMatchObject({ standing: 1, edge: own[0].edge, arena_edge: null });
    const figures = `round(id: ${round.id}) { results(limit: 1) { edge arenaEdge contribution peerScore } }`;
    const sums = `agent(id: ${agent.id}) { standing(period: alltime) { totalCompetitions edge { n } arenaEdge { n } } }`;
    expect((await ask(service, `{ ${figures} ${sums} }`)).data).toEqual({
      round: { results: [{ edge: own[0].edge, arenaEdge: null, contribution: null, peerScore: null }] },
      agent: { standing: { totalCompetitions: 1, edge: null, arenaEdge: null } },
    });
  });

  test('a row with the asset precedes one without', async () => {
    const round = await nextRound(({ params }) => params.subject !== null);
    const { question_type, params } = round;
    await set([rowFor(round), { question_type, asset: params.subject, prediction: 'NO', confidence: 1 }]);
    await goTo(50);
    expect(await entriesOf(round)).toMatchObject([{ agent_id: agent.id, prediction: 'NO', standing: true }]);
    await service.nextHour();
  });

  test('the first available choice counts', async () => {
    const round = await nextRound(
      ({ prediction_format: format, choices }) => format === 'choice' && choices.length < 8,
    );
    const { question_type, choices } = round;
    const others = ASSETS.filter((asset) => !choices.includes(asset));
    await set([{ question_type, prediction: [...others, ...choices.toReversed()], confidence: 1 }]);
    await goTo(50);
    expect(await entriesOf(round)).toMatchObject([{ agent_id: agent.id, prediction: choices.at(-1), standing: true }]);
    await service.nextHour();
  });

  test('a locked round’s standing predictions are submitted 10 minutes before the lock', async () => {
    const round = await currentRound(locking);
    const early = await register(locking, 'early');
    await set([rowFor(round)], early, locking);
    await goTo(34, locking);
    expect(await entriesOf(round, locking)).toEqual([]);
    await goTo(35, locking);
    expect(await entriesOf(round, locking)).toHaveLength(1);
  });

  test('standing predictions missed during a downtime are not submitted later', async () => {
    const round = await currentRound(service);
    await set([rowFor(round)]);
    await service.nextHour();
    expect(await entriesOf(round)).toEqual([]);
    await locking.nextHour();
    const locked = await currentRound(locking);
    const late = await register(locking, 'late');
    await set([rowFor(locked)], late, locking);
    await goTo(45, locking);
    expect(await entriesOf(locked, locking)).not.toContainEqual(expect.objectContaining({ agent_id: late.id }));
  });

  test('blocked agents and questions without a row get no standing prediction', async () => {
    const round = await currentRound(service);
    const others = ['direction', 'touch'].filter((one) => one !== round.question_type);
    await set(others.map((question_type) => ({ question_type, prediction: 'YES', confidence: 50 })));
    const blocked = await register(service, `blocked-${count}`);
    await set([rowFor(round)], blocked);
    await service.newEm().execute(`update agents set block_reason = 'no' where id = ?`, [blocked.id]);
    await goTo(50);
    expect(await entriesOf(round)).toEqual([]);
    await service.nextHour();
  });
});

describe('after 7 days without a request', () => {
  test('standing predictions lapse, with an event and a date in the profile, until set again', async () => {
    const lapsesAt = async () => (await profileOf(service, agent)).agent.standing_predictions.lapses_at;
    await set(EVERY_TYPE);
    const first = await lapsesAt();
    service.clock.set(new Date(service.clock.now().getTime() + 2 * HOUR));
    await service.turn();
    const later = await lapsesAt();
    expect(Date.parse(later) - Date.parse(first)).toBe(2 * HOUR);
    service.clock.set(new Date(later));
    await service.turn();
    const events = await service.newEm().execute(`select payload from events where kind = 'STANDING_LAPSED'`);
    expect(events).toContainEqual({ payload: { agentId: agent.id, agentName: agent.name } });
    expect(await lapsesAt()).toBe(later);
    const round = await currentRound(service);
    await goTo(50);
    expect(await entriesOf(round)).toEqual([]);
    await set([rowFor(round)]);
    expect(Date.parse(await lapsesAt())).toBeGreaterThan(Date.parse(later));
  });

  test('a reading returns the extended lapse date, except of lapsed standing predictions', async () => {
    const { lapses_at: moved } = (await set([rowFor(await currentRound(service))])).body;
    const store = (at: Date) =>
      service.newEm().execute('update standing_agents set lapses_at = ? where agent_id = ?', [at, agent.id]);
    const shown = async () => {
      const { body } = await service.request('GET', '/api/me/standing', { key: agent.key });
      const { data } = await ask(service, '{ me { standingPredictions { lapsesAt } } }', { key: agent.key });
      const { agent: own } = await profileOf(service, agent);
      return [body.lapses_at, data?.me.standingPredictions.lapsesAt, own.standing_predictions.lapses_at];
    };
    await store(new Date(Date.parse(moved) - 2 * HOUR));
    expect(await shown()).toEqual([moved, moved, moved]);
    const passed = service.clock.now();
    await store(passed);
    // The profile is kept until the next event, and this test's change is none.
    expect(await shown()).toEqual([passed.toISOString(), passed.toISOString(), moved]);
  });

  test('a submission extends standing predictions, an automatic one does not', async () => {
    const { lapses_at: end } = (await set(EVERY_TYPE)).body;
    const silent = await register(service, `silent-${count}`);
    await set(EVERY_TYPE, silent);
    await service.nextHour();
    await goTo(50);
    const automatic = await entriesOf(await currentRound(service));
    expect(automatic).toContainEqual(expect.objectContaining({ agent_id: silent.id, standing: true }));
    await service.nextHour();
    await predict(service, agent);
    // A request extends them too: the time is as before it.
    await service.newEm().execute('update standing_agents set lapses_at = ? where agent_id = ?', [end, agent.id]);
    service.clock.set(new Date(end));
    await service.turn();
    const lapsed = await service
      .newEm()
      .execute(
        `select agent_id as id from standing_agents where lapse_told and agent_id in (${agent.id}, ${silent.id})`,
      );
    expect(lapsed).toEqual([{ id: silent.id }]);
  });
});
